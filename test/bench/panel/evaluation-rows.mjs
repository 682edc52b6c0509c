// The table of a large evaluation: opened, scrolled from its first row to its last and back, and filtered.
import { measureOnce, openLivePanel } from './live-panel.mjs';
import { toDocument } from './scripted-session.mjs';

const LANES = 3;

/** One of these cities is wrong, so that the rows have what is drawn of a failure. */
const toText = (rows) =>
  toDocument(LANES, {
    messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
    evaluate: {
      rows: Array.from({ length: rows }, (_, index) => ({ id: `row ${index}`, city: `City ${index % 7}` })),
    },
    expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
  });

const answer = ({ messages, model }) => {
  const city = messages.at(-1).content.replace(/^.* in |\?$/g, '');
  const isWrong = model.endsWith('1') && city === 'City 3';
  const call = { id: 'call_1', name: 'get_weather', arguments: { city: isWrong ? 'Oslo' : city } };
  return { toolCalls: [call], usage: { promptTokens: 50, completionTokens: 9 } };
};

/** In steps of half a window, one a frame. @param step Its sign is the direction. */
const scroll = (page, step) =>
  page.locator('table.cases').evaluate(async (table, sign) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const own = table.closest('.page');
    const scrolls = own && own.scrollHeight > own.clientHeight + 1;
    const scroller = scrolls ? own : document.documentElement;
    let stepsAtEnd = 0;
    while (stepsAtEnd < 3) {
      const before = scroller.scrollTop;
      scroller.scrollTop += (sign * window.innerHeight) / 2;
      stepsAtEnd = scroller.scrollTop === before ? stepsAtEnd + 1 : 0;
      await frame();
    }
  }, step);

const rowOf = (page, name) => page.locator('table.cases tbody th', { hasText: name }).first();

export async function measureEvaluationRows(job) {
  const { rows } = job;
  const open = () => openLivePanel(job, { text: toText(rows), script: answer });
  return measureOnce(open, async (panel) => {
    const { page, session } = panel;
    const { evaluation } = session.session;
    await evaluation.start({ isConfirmed: true });
    await evaluation.ended();
    await panel.open();
    const tab = page.getByRole('tab', { name: 'Evaluate', exact: true });
    await tab.waitFor();
    const opened = await panel.measureBoth(async () => {
      await tab.click();
      await rowOf(page, /^row 0$/).waitFor();
    });
    const scrolled = await panel.measureBoth(async () => {
      await scroll(page, 1);
      await rowOf(page, new RegExp(`^row ${rows - 1}$`)).waitFor();
      await scroll(page, -1);
      await rowOf(page, /^row 0$/).waitFor();
    });
    const filtered = await panel.measureBoth(async () => {
      await page.getByRole('button', { name: /^Failing/ }).click();
      await rowOf(page, /^row 0$/).waitFor({ state: 'detached' });
    });
    return { opened, scrolled, filtered };
  });
}
