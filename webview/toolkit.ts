// Registers the parts of @vscode/webview-ui-toolkit that the panel uses. The only file that names the toolkit;
// knows nothing of the playground. Imported before the first render, so that no element is upgraded late.
import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/vscode-design-system.js';
import { vsCodeButton } from '@vscode/webview-ui-toolkit/dist/button/index.js';
import { vsCodeCheckbox } from '@vscode/webview-ui-toolkit/dist/checkbox/index.js';
import { vsCodeDropdown } from '@vscode/webview-ui-toolkit/dist/dropdown/index.js';
import { vsCodeOption } from '@vscode/webview-ui-toolkit/dist/option/index.js';
import { vsCodeTextArea } from '@vscode/webview-ui-toolkit/dist/text-area/index.js';
import { vsCodeTextField } from '@vscode/webview-ui-toolkit/dist/text-field/index.js';

export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}
