// The toolkit's own elements in happy-dom, which lacks three things that they need.
import { registerToolkit } from '../../../webview/toolkit';

export function registerRealToolkit(): void {
  // happy-dom's document is not an instance of Document, so the toolkit treats it as an element and writes to its style.
  Object.assign(document, { style: document.body.style });
  // happy-dom's <select> cannot be emptied. If the toolkit does not recognize it, it leaves the hidden one for forms alone.
  Object.defineProperty(HTMLSelectElement, Symbol.hasInstance, { value: () => false });
  Object.assign(window, { Option: toOption });
  registerToolkit();
}

/** What `new Option(text, value)` returns in a browser. */
function toOption(text = '', value = text): HTMLOptionElement {
  return Object.assign(document.createElement('option'), { text, value });
}
