// The public exports of the end-to-end test support.
export { launch } from '../../support/browser/chromium.mjs';
export type { Viewport } from '../../support/browser/chromium.mjs';
export { localDir, root, vsix } from '../../support/host/paths.mjs';
export { installVsix, quietSettings, startServer, workbenchUrl } from '../../support/host/server.mjs';
export type { Server, Settings } from '../../support/host/server.mjs';
export { readHostLog } from './clean-slate';
export { readEveryFrame } from './every-frame';
export { findAxeViolations } from './find-axe-violations';
export { Keyboard } from './keyboard';
export { Panel } from './panel';
export { updateSettings } from './settings';
export { setTheme, themes, type Theme } from './theme';
export { Workbench, type WorkbenchOptions } from './workbench';
export {
  focusedLines,
  runCommand,
  screenshot,
  screenshotFailures,
  screenshotInThemes,
  setPanelHeight,
  setPanelWidth,
  waitUntilKept,
  webview,
  webviewFrame,
} from './workbench-page';
