// Reopens a long conversation: from the first snapshot until everything is drawn, then scrolls from its end to its
// start.
import { measureOnce, openLivePanel } from './live-panel.mjs';
import { loadEngine, openMemoryStore, openSession, toDocument } from './scripted-session.mjs';
import { nativeCall, prose, textCall } from './texts.mjs';

/** One third of the replies contains a native call, and one third a call in the text. */
const REPLIES = [
  ({ index }) => ({ content: prose(1500 + (index % 7) * 300) }),
  ({ index }) => ({ content: prose(400), toolCalls: [nativeCall(index)] }),
  ({ index }) => ({ content: `${prose(800)}\n${textCall(`City ${index}`)}` }),
];

/** Creates the conversation in an earlier session. */
async function talk(engine, store, replies) {
  let index = 0;
  const earlier = await openSession(engine, {
    text: toDocument(1),
    store,
    script: () => REPLIES[index % REPLIES.length]({ index: index++ }),
  });
  for (let done = 0; done < replies; done += 1) await earlier.run(`Question ${done}: ${prose(200)}`);
  const { text } = earlier.backing;
  await earlier.close();
  return text;
}

/** Scrolls in steps of half a window, one per frame, until the first turn is at the top. */
const scrollToStart = async ({ page }) =>
  page.locator('.lane-body').evaluate(async (scroller) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let stepsAtTop = 0;
    while (stepsAtTop < 3) {
      scroller.scrollTop -= scroller.clientHeight / 2;
      stepsAtTop = scroller.scrollTop <= 0 ? stepsAtTop + 1 : 0;
      await frame();
    }
  });

/** Delays the session's reply until the page is ready. */
function holdBack({ handlers }) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const open = handlers['session/open'];
  handlers['session/open'] = async () => {
    await released;
    return open();
  };
  return release;
}

export async function measureLongTranscript(job) {
  const { turns } = job;
  const engine = loadEngine(job.dist);
  const store = openMemoryStore(engine);
  const text = await talk(engine, store, Math.floor(turns / 2));
  const open = () => openLivePanel(job, { text, store, script: () => ({}) });
  return measureOnce(open, async (panel) => {
    const release = holdBack(panel);
    await panel.open();
    await panel.page.locator('.lane, .app').first().waitFor();
    const opened = await panel.measureBoth(release);
    const drawn = await panel.page.locator('pg-turn').count();
    if (drawn !== turns) throw new Error(`${drawn} turns of ${turns} are drawn`);
    const scrolled = await panel.measureBoth(() => scrollToStart(panel));
    const unread = await panel.page.locator('.turn.is-stored').count();
    if (unread > 0) throw new Error(`${unread} replies were never read`);
    return { opened, scrolled };
  });
}
