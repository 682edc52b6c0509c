// The toolkit's own elements in happy-dom, which lacks three things that they need.
import { registerToolkit } from '../../../webview/toolkit';

export function registerRealToolkit(): void {
  // its document is no instance of Document: the toolkit takes it for an element, and writes into its style
  Object.assign(document, { style: document.body.style });
  // its <select> cannot be emptied: taken for no select, the one that a form would send is left as it is
  Object.defineProperty(HTMLSelectElement, Symbol.hasInstance, { value: () => false });
  Object.assign(window, { Option: toOption });
  registerToolkit();
}

/** What `new Option(text, value)` makes in a browser. */
function toOption(text = '', value = text): HTMLOptionElement {
  return Object.assign(document.createElement('option'), { text, value });
}
