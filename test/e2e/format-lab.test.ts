// The format lab in a real VS Code, by keyboard: typed text, files, a selection with its marks. The tests depend on their order.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyboard, screenshot, stopAtFailure, webview, Workbench } from './support';

const NOTES = `# What came back

Let me look.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Oslo",}}
</tool_call>
<tool_call>
{"name": "get_weather", "arguments": {"city": "Lisb
</tool_call>
The end.
`;

let workbench: Workbench;
let keyboard: Keyboard;

const page = () => workbench.page;
const frame = (): FrameLocator => webview(page());
const box = (): Locator => frame().getByRole('textbox', { name: 'Text to read' });
const band = (): Locator => frame().locator('.outcome');
const tab = (name: string): Locator => page().locator('.tab').filter({ hasText: name });
const marks = (): Locator => page().locator('.editor-instance .view-overlays [class*="ced-"]');
const says = (where: Locator, text: string | RegExp): Promise<void> =>
  where.getByText(text).first().waitFor();
const outcomeSays = (text: string | RegExp): Promise<void> =>
  expect.poll(() => band().innerText()).toMatch(text);

/** Opens a file of the folder with Quick Open, and waits for its tab. */
async function openFile(name: string): Promise<void> {
  await keyboard.openFile(name);
  await tab(name).first().waitFor();
}

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  keyboard = new Keyboard(page());
  const files = {
    'notes.md': NOTES,
    'broken.toolcall.json': '{\n  "version": 1,\n  "text": 7\n}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workbench.folder, name), text);
});
stopAtFailure(() => [page()]);
afterAll(() => workbench?.close());

describe('the format lab', () => {
  it('opens without a connection, and reads the text while it is typed', async () => {
    await keyboard.command('Provider Playground: Open Format Lab');
    await box().waitFor();
    await screenshot(page(), 'lab-1-empty');
    await keyboard.goTo('textbox "Text to read"');
    await keyboard.type('Sure. <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}');
    await outcomeSays('Rescued · 1 call, hermes-json');
    await keyboard.type('</tool_call>');
    await says(frame().locator('.lab-tools'), 'get_weather(city)');
    await says(frame().locator('.spans'), 'Rescued: get_weather');
    await screenshot(page(), 'lab-2-typed');
  });

  it('undoes and redoes typing once per key press', async () => {
    await keyboard.type(' more');
    await expect.poll(() => box().inputValue()).toMatch(/ more$/);
    await keyboard.press('Control+z');
    await expect.poll(() => box().inputValue()).not.toMatch(/ more$/);
    expect(await box().inputValue()).toContain('get_weather');
    await keyboard.press('Control+y');
    await expect.poll(() => box().inputValue()).toMatch(/ more$/);
  });

  it('is saved as a file that opens the lab with the same text', async () => {
    await keyboard.goTo('button "Save as file…"', { by: 'Shift+Tab' });
    await keyboard.press('Enter');
    const path = page().locator('.quick-input-widget input[type="text"]').first();
    await expect.poll(() => path.inputValue()).toContain('lab.toolcall.json');
    await keyboard.press('Enter');
    const file = join(workbench.folder, 'lab.toolcall.json');
    await expect.poll(() => existsSync(file)).toBe(true);
    await says(frame().locator('.lab-foot'), 'The lab is saved as a file.');
    const saved = JSON.parse(readFileSync(file, 'utf8')) as { text: string };
    expect(saved).toMatchObject({ version: 1, text: await box().inputValue() });
    await openFile('lab.toolcall.json');
    await says(frame().locator('.lab-head'), 'from lab.toolcall.json');
    expect(await box().inputValue()).toBe(saved.text);
    await outcomeSays(/Rescued · 1 call/);
  });

  it('names the line of a lab file that is not valid', async () => {
    await openFile('broken.toolcall.json');
    await says(frame().locator('[role=alert]'), 'This is not a format lab file');
    await says(frame().locator('[role=alert]'), /Line 3/);
    await screenshot(page(), 'lab-4-broken');
    await keyboard.command('View: Reopen Editor with Text Editor');
    await page().locator('.editor-instance .squiggly-warning').first().waitFor();
    await keyboard.command('View: Close Editor');
    await tab('broken').waitFor({ state: 'hidden' });
  });

  it('keeps its text while it is hidden', async () => {
    await keyboard.press('Control+PageUp');
    await expect.poll(() => box().inputValue()).toMatch(/ more$/);
    await outcomeSays(/Rescued · 1 call/);
  });
});

describe('a selection in an editor', () => {
  it('is read in a lab beside the editor, and its calls are marked in the editor', async () => {
    await keyboard.command('View: Close All Editors');
    await openFile('notes.md');
    await page().locator('.monaco-editor.focused').waitFor();
    await keyboard.press('Control+Home', 'ArrowDown', 'ArrowDown', 'Control+Shift+End');
    await keyboard.command('Provider Playground: Diagnose Tool-Call Text');
    await outcomeSays('Rescued · 1 call, hermes-json');
    await says(frame().locator('.lab-head'), 'from a selection in notes.md');
    await expect.poll(() => marks().count()).toBeGreaterThan(3);
    await screenshot(page(), 'lab-5-marks');
  });

  it('shows in a hover why text was rejected, and loses its marks when the document changes', async () => {
    await keyboard.press('Control+1');
    await page().locator('.monaco-editor.focused').waitFor();
    await keyboard.press('Control+Home', ...Array.from({ length: 7 }, () => 'ArrowDown'), 'ArrowRight');
    await keyboard.command('Show or Focus Hover');
    await says(page().locator('.monaco-hover'), /Left as text: malformed, hermes-json/);
    await screenshot(page(), 'lab-6-hover');
    await keyboard.press('Escape');
    await keyboard.type('x');
    await expect.poll(() => marks().count()).toBe(0);
    await keyboard.press('Control+z');
  });
});
