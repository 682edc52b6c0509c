// Registers the panel's elements, those of the parts loaded later too. Test files share a document, in which a name can
// be registered only once.
import { registerElements } from '../../../webview/elements';
import { loadLaterParts } from '../../../webview/later';

let registered: Promise<void> | undefined;

/** For `beforeAll`. */
export function registerOnce(): Promise<void> {
  if (!registered) {
    registerElements();
    registered = loadLaterParts();
  }
  return registered;
}
