// Registers the parts of @vscode/webview-ui-toolkit that the panel uses. The only file that names the toolkit;
// knows nothing of the playground. Imported before the first render, so that no element is upgraded late.
import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/vscode-design-system.js';
import { vsCodeButton } from '@vscode/webview-ui-toolkit/dist/button/index.js';
import { vsCodeCheckbox } from '@vscode/webview-ui-toolkit/dist/checkbox/index.js';
import { Dropdown, vsCodeDropdown } from '@vscode/webview-ui-toolkit/dist/dropdown/index.js';
import { vsCodeOption } from '@vscode/webview-ui-toolkit/dist/option/index.js';
import { vsCodeTextArea } from '@vscode/webview-ui-toolkit/dist/text-area/index.js';
import { vsCodeTextField } from '@vscode/webview-ui-toolkit/dist/text-field/index.js';

/**
 * The toolkit's dropdown takes every letter for the beginning of an option, also that of Ctrl+S. Such a key is left alone,
 * and not stopped: it is for the panel or the editor.
 */
class PanelDropdown extends Dropdown {
  override keydownHandler(event: KeyboardEvent): boolean | void {
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    return isCommand ? true : super.keydownHandler(event);
  }
}

export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    PanelDropdown.compose({ ...vsCodeDropdown().definition, baseName: 'dropdown' })(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}
