// VS Code's own themes, and how the workbench and its webviews show the active one.
import type { Page } from 'playwright-core';
import { updateSettings } from './settings';

/** CSS class and file name of the theme in the workbench, and its kind in a webview. */
const marks = {
  'Default Dark Modern': ['vs-dark', 'dark_modern', 'vscode-dark'],
  'Default Light Modern': ['vs', 'light_modern', 'vscode-light'],
  'Default High Contrast': ['hc-black', 'hc_black', 'vscode-high-contrast'],
  'Default High Contrast Light': ['hc-light', 'hc_light', 'vscode-high-contrast-light'],
} as const;

export type Theme = keyof typeof marks;
/** The default theme is the first. */
export const themes: readonly [Theme, ...Theme[]] = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
];

/**
 * Changes the theme of a running workbench through the folder's settings, and waits until the workbench and the visible
 * panels have it.
 */
export async function setTheme(page: Page, folder: string, theme: Theme): Promise<void> {
  const [className, file, kind] = marks[theme];
  updateSettings(folder, { 'workbench.colorTheme': theme });
  await page.locator(`.monaco-workbench.${className}[class*="-themes-${file}-json"]`).waitFor();
  for (const outer of await page.locator('iframe.webview.ready').filter({ visible: true }).all()) {
    const panel = outer.contentFrame().locator('iframe#active-frame').contentFrame();
    await panel.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
  }
}
