export {
  load,
  RehrefError,
  type DocumentFunctions,
  type DocumentOptions,
  type Form,
  type Kind,
  type Link,
  type RelativeOptions,
  type Standard,
  type WebAssemblySource,
} from "./lib/engine.js";
