// Registers the parts of @vscode/webview-ui-toolkit that the panel uses; the only file that imports the toolkit.
// Independent of the playground. Imported before the first render, so that no element is upgraded late.
import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/vscode-design-system.js';
import { vsCodeButton } from '@vscode/webview-ui-toolkit/dist/button/index.js';
import { vsCodeCheckbox } from '@vscode/webview-ui-toolkit/dist/checkbox/index.js';
import { Dropdown, vsCodeDropdown } from '@vscode/webview-ui-toolkit/dist/dropdown/index.js';
import { vsCodeOption } from '@vscode/webview-ui-toolkit/dist/option/index.js';
import { vsCodeTextArea } from '@vscode/webview-ui-toolkit/dist/text-area/index.js';
import { vsCodeTextField } from '@vscode/webview-ui-toolkit/dist/text-field/index.js';

/**
 * The toolkit's dropdown treats every letter as a search in its options, even that of Ctrl+S. Keys with a modifier
 * are ignored here and not stopped, because they belong to the panel or the editor.
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
