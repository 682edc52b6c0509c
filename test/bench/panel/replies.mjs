// Unusual replies: a very long one, and one with very many calls.
import { measureOnce, openLivePanel } from './live-panel.mjs';
import { toDocument } from './scripted-session.mjs';
import { nativeCall, prose, textCall } from './texts.mjs';

const CITIES = ['Oslo', 'Bergen', 'Tromsø'];

/** A long reply with calls at its beginning, middle and end. */
function longReply(length) {
  const part = prose(Math.floor(length / CITIES.length));
  return CITIES.map((city) => textCall(city) + part).join('');
}

const tab = ({ page }, name) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).first();

const press = ({ page }, place, name) => page.locator(place).getByRole('button', { name }).first().click();

export function measureLongReply(job) {
  const content = longReply(job.length);
  const open = () => openLivePanel(job, { text: toDocument(1), script: () => ({ content }) });
  return measureOnce(open, async (panel) => {
    await panel.open();
    await panel.page.locator('.lane').first().waitFor();
    const arrival = await panel.measureBoth(() => panel.session.run('Say much.'));
    const rescue = await panel.measure(() => tab(panel, 'Rescue').click());
    const rescueAll = await panel.measure(() => press(panel, '.side .trace', 'Show all'));
    const reply = await panel.measure(() => tab(panel, 'Reply').click());
    const replyOpen = await panel.measure(() => press(panel, '.side pg-content-value', /characters/));
    const replyAll = await panel.measure(() => press(panel, '.side pg-content-value', 'Show all'));
    const laneAll = await panel.measure(() => press(panel, '.lane pg-turn .what > .text', 'Show all'));
    return { arrival, rescue, rescueAll, reply, replyOpen, replyAll, laneAll };
  });
}

export function measureManyCalls(job) {
  const { calls } = job;
  const toolCalls = Array.from({ length: calls }, (_, index) => nativeCall(index));
  const open = () =>
    openLivePanel(job, {
      text: toDocument(1),
      // First the calls, then a final answer once they have results.
      script: ({ messages }) =>
        messages.at(-1).role === 'tool' ? { content: 'It is calm everywhere.' } : { toolCalls },
    });
  return measureOnce(open, async (panel) => {
    await panel.open();
    await panel.page.locator('.lane').first().waitFor();
    const arrival = await panel.measureBoth(() => panel.session.run('Ask everywhere.', { kind: 'agent' }));
    const drawn = await panel.page.locator('.lane article.call').count();
    if (drawn !== calls) throw new Error(`${drawn} calls of ${calls} are drawn`);
    const call = await panel.measure(() =>
      panel.page.locator('.lane article.call [data-row]').first().click(),
    );
    return { arrival, call };
  });
}
