// The page *Recording* of a made-up recording: what is copied before the first request, the list by keyboard, one request on both
// sides, ten thousand of them, its layout at four widths, and checks with axe-core in all themes. The tests depend on their order.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedRow, RecordingSnapshot } from '../../src/protocol';
import { findAxeViolations } from '../support/panel/find-axe-violations';
import { Keyboard } from '../support/panel/keyboard';
import { screenshot, stopAtFailure } from '../support/panel/pictures';
import {
  readRows,
  scriptRecording,
  scriptRequest,
  scriptRequests,
  scriptRun,
  STARTED_AT,
} from '../support/panel/scripted-recording';
import { Extension, firstTheme, themeNames } from './support/extension';

let extension: Extension;
let keyboard: Keyboard;
let rows: RecordedRow[] = [];
let snapshot: RecordingSnapshot = scriptRecording();
/** Requests of the page by method, the last ones last. */
let asked: [method: string, params: unknown][] = [];

const page = () => extension.page;
const table = (): Locator => page().getByRole('grid', { name: 'Requests' });
const inspector = (): Locator => page().getByRole('region', { name: 'Inspector' });
const rowOf = (number: number): Locator => page().locator(`#request-${number}`);
const axe = (theme = firstTheme): Promise<string[]> =>
  findAxeViolations(page().locator('html'), theme === firstTheme ? 'all' : 'colours');
const says = (part: Locator, text: string | RegExp): Promise<void> =>
  expect.poll(() => part.innerText(), { timeout: 10_000 }).toMatch(text);

const note =
  <P, R>(method: string, answer: (params: P) => R) =>
  (params: P): R => {
    asked.push([method, params]);
    return answer(params);
  };
/** Waits until the page has asked this last. */
const asks = (wanted: [method: string, params: object]): Promise<void> =>
  expect.poll(() => asked.at(-1)).toMatchObject(wanted);
const found = (number: number): RecordedRow => rows.find((row) => row.number === number) as RecordedRow;

async function open(change: Partial<RecordingSnapshot> = {}): Promise<void> {
  snapshot = scriptRecording({ last: rows.length, ...change });
  asked = [];
  const none = (): null => null;
  await extension.openPage('recording', {
    'recording/open': () => snapshot,
    'recording/rows': (params: { from: number }) => readRows(rows, params),
    'recording/read': ({ number }: { number: number }) => scriptRequest(found(number)),
    'entries/read': ({ entryIds }: { entryIds: string[] }) =>
      rows.filter(({ run }) => run && entryIds.includes(run.runId)).map(scriptRun),
    'recording/repair': note('recording/repair', none),
    'recording/stop': note('recording/stop', none),
    'recording/start': note('recording/start', none),
    'recording/clear': note('recording/clear', none),
    'recording/export': note('recording/export', none),
    'recording/open-playground': note('recording/open-playground', none),
    'recording/open-file': note('recording/open-file', none),
    'recording/compare-sides': note('recording/compare-sides', none),
    'run/compare': note('run/compare', none),
    'wire/copy': note('wire/copy', () => ({ variables: [] })),
  });
}

/** What the host tells of a change. */
function tell(change: Partial<RecordingSnapshot>, changed: RecordedRow[] = []): void {
  snapshot = { ...snapshot, version: snapshot.version + 1, ...change };
  extension.emit('recording/changed', { snapshot, rows: changed });
}

beforeAll(async () => {
  extension = await Extension.start({ width: 1440, height: 900 });
  keyboard = new Keyboard(page(), page());
});
stopAtFailure(() => [page()]);
afterAll(() => extension?.close());

describe('a recording before its first request', () => {
  it('says what to give to a program, in the words of its shell', async () => {
    rows = [];
    await open({ state: 'waiting' });
    await page().getByText('Waiting for the first request').first().waitFor();
    await says(page().locator('.start'), /export OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:41234\/r\/k3f9\/v1\n/);
    await says(page().locator('.start'), 'export OLLAMA_HOST=http://127.0.0.1:41234/r/k3f9');
    expect(await page().locator('.start').innerText()).not.toContain('ANTHROPIC');
    await screenshot(page(), 'recording-waiting');
    expect(await axe()).toEqual([]);
    await keyboard.goTo('button "For bash"');
    await keyboard.press('Enter', 'ArrowDown', 'Enter');
    await says(page().locator('.start'), `$env:OPENAI_BASE_URL = 'http://127.0.0.1:41234/r/k3f9/v1'`);
  });

  it('gives way to the list with the first request', async () => {
    rows = scriptRequests(1);
    tell({ state: 'recording', last: 1 }, rows);
    await rowOf(1).waitFor();
    await says(page().locator('.plan'), '1 request');
  });
});

describe('the list of requests', () => {
  beforeAll(async () => {
    rows = scriptRequests(10).map((row) => (row.phase ? { ...row, startedAt: Date.now() - 4200 } : row));
    await open();
  });

  it('shows how each came out, and counts them', async () => {
    await says(page().locator('.plan'), '10 requests, 1 open');
    await says(page().locator('.plan'), '3 replies had their calls in the text');
    await says(rowOf(4), /opencode\/1\.0\.55[^]*qwen3:8b[^]*rescued[^]*5\u202f871[^]*200/);
    await says(rowOf(8), /failed[^]*503/);
    await says(rowOf(10), 'reading');
    await screenshot(page(), 'recording-live');
    expect(await axe()).toEqual([]);
  });

  it('is one stop of the tab key, and shows a request with Enter', async () => {
    await keyboard.goTo('grid "Requests"');
    await keyboard.press('End', 'ArrowUp', 'Enter');
    await says(inspector(), 'Rescued');
    expect(await rowOf(9).getAttribute('aria-selected')).toBe('true');
    await says(inspector(), 'The call came as text, so the program saw no call and its loop ended.');
    expect((await inspector().innerText()).match(/came as text/g)).toHaveLength(1);
    await inspector().getByRole('button', { name: 'Repair calls from the next request on' }).waitFor();
    await says(inspector(), '9: system 1, user 1, assistant 4, tool 3');
    await says(inspector(), 'not repaired');
    await screenshot(page(), 'recording-selected');
    expect(await axe()).toEqual([]);
    await keyboard.press('F6');
    await expect.poll(() => page().locator('.pane:focus').count()).toBe(1);
  });

  it('leads to a playground, to a copy and to a comparison', async () => {
    await inspector().getByRole('button', { name: 'Open as Playground' }).click();
    await asks(['recording/open-playground', { number: 9 }]);
    await inspector().getByRole('button', { name: 'Copy as' }).click();
    await page().getByRole('menuitem', { name: 'cURL (bash)' }).click();
    await asks(['wire/copy', { laneId: 'recorded', runId: 'run-9', form: 'bash' }]);
    await inspector().getByRole('button', { name: 'Compare with' }).click();
    await screenshot(page(), 'recording-compare');
    await page().getByRole('menuitem', { name: 'Reply', exact: true }).first().click();
    await asks(['run/compare', { left: { runId: 'run-9' }, right: { runId: 'run-8' } }]);
  });

  it.each(['Tool calls', 'Rescue', 'Attempts'])('has the tab %s of a run', async (name) => {
    await inspector().getByRole('tab', { name, exact: true }).click();
    await says(inspector(), name === 'Attempts' ? '1 attempt' : 'read_file');
    expect(await axe()).toEqual([]);
  });

  it('has all tabs of a chat before its run can be read, so that none moves below the pointer', async () => {
    await rowOf(10).click();
    await says(inspector(), 'The request is under way.');
    expect(await inspector().getByRole('tab').count()).toBe(5);
  });

  it('has only the wire of what is no chat', async () => {
    await rowOf(1).click();
    await expect.poll(() => inspector().getByRole('tab').count()).toBe(1);
    await says(inspector(), 'only the key was added');
    await inspector().getByRole('button', { name: 'Headers, server side' }).click();
    await asks(['recording/open-file', { number: 1, side: 'server', file: 'headers.txt' }]);
    await screenshot(page(), 'recording-no-chat');
  });

  it('is narrowed by outcome, by words and to one conversation', async () => {
    await page().getByRole('button', { name: 'Rescued 3' }).click();
    await expect.poll(() => table().locator('tbody tr').count()).toBe(3);
    await page().getByRole('button', { name: 'All 10' }).click();
    await page().getByRole('searchbox', { name: 'Filter requests' }).fill('embed ollama');
    await expect.poll(() => table().locator('tbody tr').count()).toBe(1);
    await page().getByRole('searchbox', { name: 'Filter requests' }).fill('nobody');
    await page().getByRole('button', { name: 'Show all' }).click();
    await rowOf(2).click();
    await inspector().getByRole('button', { name: 'Show only conversation 1' }).click();
    await expect.poll(() => table().locator('tbody tr').count()).toBe(1);
    await page().getByRole('button', { name: 'Conversation 1', exact: true }).click();
    await expect.poll(() => table().locator('tbody tr').count()).toBe(10);
  });
});

describe('what is done with a recording', () => {
  it('is repaired from the next request on, stopped, recorded again, cleared and exported', async () => {
    await open();
    await rowOf(1).waitFor();
    await page().getByRole('switch', { name: 'Repair calls' }).click();
    await asks(['recording/repair', { isOn: true }]);
    tell({ isRepairing: true });
    await expect
      .poll(() => page().getByRole('switch', { name: 'Repair calls' }).getAttribute('aria-checked'))
      .toBe('true');
    await page().getByRole('button', { name: 'Stop recording' }).click();
    await asks(['recording/stop', {}]);
    tell({ state: 'stopped' });
    await page().getByRole('button', { name: 'Record again' }).waitFor();
    await screenshot(page(), 'recording-stopped');
    expect(await axe()).toEqual([]);
    await page().getByRole('button', { name: 'Record again' }).click();
    await asks(['recording/start', {}]);
    await page().getByRole('searchbox', { name: 'Filter requests' }).fill('embed');
    await page().getByRole('button', { name: 'Export' }).click();
    await page().getByRole('menuitem', { name: 'JSON lines (.jsonl)' }).first().click();
    await asks(['recording/export', { form: 'jsonl', numbers: [7] }]);
    await page().getByRole('button', { name: 'Clear', exact: true }).click();
    await asks(['recording/clear', {}]);
    await page().getByRole('searchbox', { name: 'Filter requests' }).fill('');
    tell({ first: 11, last: 10 });
    await page().getByText('The recording is stopped, and no request came.').waitFor();
  });

  it('says why there is none', async () => {
    rows = [];
    await open({
      state: 'stopped',
      problem: {
        code: 'x',
        title: 'The recording could not be started',
        what: 'No port is free.',
        why: '',
        next: 'Close other programs.',
      },
    });
    await says(page().getByRole('alert'), 'No port is free. Close other programs.');
    await screenshot(page(), 'recording-failed');
    expect(await axe()).toEqual([]);
  });

  it('shows a repaired reply on both sides', async () => {
    rows = scriptRequests(9, { isRepaired: true });
    await open({ isRepairing: true });
    await says(page().locator('.plan'), '3 replies were repaired');
    await rowOf(9).click();
    await says(inspector(), 'The program received it as a native call.');
    await inspector().getByRole('tab', { name: 'Wire' }).click();
    await says(inspector(), 'the answer was changed');
    await says(inspector(), /finish_reason[^]*"stop"[^]*"tool_calls"/);
    await screenshot(page(), 'recording-repaired');
    expect(await axe()).toEqual([]);
    await inspector().getByRole('button', { name: 'Compare the two responses' }).click();
    await asks(['recording/compare-sides', { number: 9 }]);
  });
});

describe('hostile text', () => {
  it('of a program stays text', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e\u0000';
    rows = scriptRequests(2).map((row) => ({
      ...row,
      program: hostile,
      model: hostile,
      path: `/${hostile}`,
      problem: hostile,
    }));
    await open();
    await rowOf(2).click();
    await says(inspector(), 'onerror');
    expect(await page().locator('main img').count()).toBe(0);
  });
});

describe('ten thousand requests', () => {
  it('scroll, are filtered and follow what comes without a pause', async () => {
    rows = scriptRequests(9_990);
    await open();
    await says(page().locator('.plan'), /9\u202f990 requests/);
    expect(await table().locator('tbody tr').count()).toBeLessThan(100);
    await table().focus();
    await keyboard.press('End');
    await rowOf(9_990).waitFor();
    const started = Date.now();
    const next = scriptRequests(10_000).slice(9_990);
    for (const row of next) tell({ last: row.number }, [row]);
    await rowOf(10_000).waitFor();
    await page().getByRole('searchbox', { name: 'Filter requests' }).fill('embed');
    await says(rowOf(7), 'nomic');
    expect(Date.now() - started).toBeLessThan(20_000);
    await page().getByRole('searchbox', { name: 'Filter requests' }).fill('');
  });
});

describe('the look of a recording', () => {
  beforeAll(async () => {
    rows = scriptRequests(10).map((row) => (row.phase ? { ...row, startedAt: Date.now() - 4200 } : row));
  });

  it.each(themeNames)('has no accessibility violation in the theme %s', async (theme) => {
    await extension.resize({ width: 1440, height: 900 });
    await open({ state: 'waiting', last: 0 });
    await extension.setTheme(theme);
    await page().locator('.start, .net').first().waitFor();
    await open();
    await extension.setTheme(theme);
    await rowOf(9).click();
    await says(inspector(), 'What was asked');
    await screenshot(page(), `recording-1440 ${theme}`);
    expect(await axe(theme)).toEqual([]);
  });

  it.each([1440, 1044, 667, 400])('fits in %d pixels', async (width) => {
    await extension.setTheme(firstTheme);
    await extension.resize({ width, height: width < 640 ? 1200 : 900 });
    await rowOf(9).click();
    await says(inspector(), 'What was asked');
    const [needed, has] = await page()
      .locator('body')
      .evaluate((body) => [body.ownerDocument.documentElement.scrollWidth, body.clientWidth]);
    expect(needed).toBeLessThanOrEqual(has ?? 0);
    await screenshot(page(), `recording-${width}`);
    expect(await axe()).toEqual([]);
  });

  it('fits before the first request, too', async () => {
    rows = [];
    await open({ state: 'waiting', since: STARTED_AT });
    await page().locator('.start').waitFor();
    await screenshot(page(), 'recording-waiting-400');
    expect(await axe()).toEqual([]);
  });
});
