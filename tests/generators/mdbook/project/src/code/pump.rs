fn pump() {
    // [x](nowhere.md)
}
