// The public exports of the end-to-end test support.
export { launch } from '../../support/browser/chromium.mjs';
export { root, vsix } from '../../support/host/paths.mjs';
export { readHostLog } from './clean-slate';
export { startCountedDemo, type CountedDemo } from './counted-demo';
export { readEveryFrame } from './every-frame';
export { findAxeViolations } from '../../support/panel/find-axe-violations';
export { screenshot, stopAtFailure } from '../../support/panel/pictures';
export { Keyboard } from './keyboard';
export { Panel } from './panel';
export { RecordingPage } from './recording-page';
export { themes, type Theme } from './theme';
export { Workbench } from './workbench';
export {
  chooseFile,
  chooseQuickPick,
  focusEditor,
  renderedMarkdown,
  runCommand,
  screenshotInThemes,
  setPanelHeight,
  setPanelWidth,
  waitUntilKept,
  webview,
  webviewFrame,
} from './workbench-page';
