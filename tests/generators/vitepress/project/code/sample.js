// #region part
console.log('fern');
// #endregion part
