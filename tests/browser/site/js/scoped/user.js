import "bare";
import "./t-sibling.js";
