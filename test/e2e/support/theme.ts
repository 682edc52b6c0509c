// VS Code's own themes, and the CSS classes by which the workbench shows the active one.
import type { Page } from 'playwright-core';
import { updateSettings } from './settings';

const classes = {
  'Default Dark Modern': ['vs-dark', 'dark_modern'],
  'Default Light Modern': ['vs', 'light_modern'],
  'Default High Contrast': ['hc-black', 'hc_black'],
  'Default High Contrast Light': ['hc-light', 'hc_light'],
} as const;

export type Theme = keyof typeof classes;
/** The default theme is the first. */
export const themes: readonly [Theme, ...Theme[]] = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
];

/** Changes the theme of a running workbench through the folder's settings, and waits until it is applied. */
export async function setTheme(page: Page, folder: string, theme: Theme): Promise<void> {
  const [kind, file] = classes[theme];
  updateSettings(folder, { 'workbench.colorTheme': theme });
  await page.locator(`.monaco-workbench.${kind}[class*="-themes-${file}-json"]`).waitFor();
}
