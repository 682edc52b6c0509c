// The format lab in a real VS Code, by keyboard: typed text, files, a selection with its marks; and checks with axe-core in four
// themes. The tests depend on their order.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findAxeViolations,
  Keyboard,
  screenshot,
  stopAtFailure,
  setPanelWidth,
  themes,
  type Theme,
  webview,
  webviewFrame,
  Workbench,
} from './support';

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

const findings = (theme: Theme): Promise<string[]> =>
  findAxeViolations(frame().locator('html'), theme === themes[0] ? 'all' : 'colours');

beforeAll(async () => {
  workbench = await Workbench.open({ viewport: { width: 1600, height: 1000 } });
  keyboard = new Keyboard(page());
  const files = {
    'notes.md': NOTES,
    'big.txt': 'A line of prose that says nothing, {"and": "some data"}.\n'.repeat(17_500),
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

  it('has readable colours in the theme that the editor starts with', async () => {
    expect(await findAxeViolations(frame().locator('html'), 'colours')).toEqual([]);
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

  it('of one megabyte is read, and the lab still accepts typing', async () => {
    await keyboard.command('View: Close All Editors');
    await openFile('big.txt');
    await page().locator('.monaco-editor.focused').waitFor();
    await keyboard.command('Provider Playground: Diagnose Tool-Call Text');
    await outcomeSays('No call · nothing in it looks like a call');
    // Reading its role and name would read its text, too.
    await box().focus();
    await keyboard.press('Control+Home');
    await page().keyboard.insertText('<tool_call>{"name": "a_tool", "arguments": {"b": 1}}</tool_call');
    await keyboard.type('>');
    await outcomeSays(/Rescued · 1 call|Left as text/);
    expect((await box().inputValue()).startsWith('<tool_call>{"name": "a_tool"')).toBe(true);
    await screenshot(page(), 'lab-7-megabyte');
  });
});

describe('the look of the lab', () => {
  it.each(themes)(
    'has no accessibility violation in the theme %s, without a text and with one',
    async (theme) => {
      if (theme === themes[0]) {
        await keyboard.command('View: Close All Editors');
        await keyboard.command('Provider Playground: Open Format Lab');
        await box().waitFor();
      }
      await workbench.setTheme(theme);
      await box().fill('');
      await frame().getByRole('button', { name: 'Show an example' }).waitFor();
      await screenshot(page(), `lab-8 empty ${theme}`);
      expect(await findings(theme)).toEqual([]);
      await keyboard.goTo('button "Show an example"');
      await keyboard.press('Enter');
      await outcomeSays('Rescued · 1 call, hermes-json');
      await keyboard.goTo('button "Write as the next format"');
      await keyboard.press('Enter');
      await frame().getByLabel('The calls, written').waitFor();
      await frame().getByRole('table').waitFor();
      await screenshot(page(), `lab-8 example ${theme}`);
      expect(await findings(theme)).toEqual([]);
    },
  );

  it('has one column without horizontal overflow in a narrow panel', async () => {
    await workbench.setTheme(themes[0]);
    await setPanelWidth(page(), 400);
    const width = await webviewFrame(page()).boundingBox();
    const overfull = await frame()
      .locator('body')
      .evaluate((body) => [body.ownerDocument.documentElement.scrollWidth, body.clientWidth]);
    expect(width?.width).toBeCloseTo(400, -1);
    expect(overfull[0]).toBeLessThanOrEqual(overfull[1] ?? 0);
    await screenshot(page(), 'lab-9-narrow');
    await frame().getByRole('table').scrollIntoViewIfNeeded();
    await screenshot(page(), 'lab-9-narrow-table');
    expect(await findings(themes[0])).toEqual([]);
  });
});
