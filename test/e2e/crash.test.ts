// A crash of the extension host while the panel is open: the page stays open and gets no notice of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Panel, readHostLog, screenshot, Workbench } from './support';

let workbench: Workbench;
let panel: Panel;

beforeAll(async () => {
  workbench = await Workbench.open();
  panel = await Panel.open(workbench.page);
});
afterAll(() => workbench?.close());

/** Process id of the extension host that the server started last, read from the server's log. */
function hostProcessId(): number | undefined {
  const [, id] =
    [...readHostLog(workbench.dataDir).matchAll(/<(\d+)> Launched Extension Host Process/g)].at(-1) ?? [];
  return id === undefined ? undefined : Number(id);
}

describe('a crash of the extension host', () => {
  it('is reported with the next step, and the unsent message returns to the message box', async () => {
    await expect.poll(hostProcessId).toBeDefined();
    process.kill(hostProcessId() ?? Number.NaN, 'SIGKILL');
    await panel.message.fill('Is it cold in Oslo?');
    await panel.message.press('Control+Enter');
    const alert = panel.frame.getByRole('alert').filter({ hasText: 'Reload the window' });
    await alert.waitFor({ timeout: 60_000 });
    await expect.poll(() => panel.message.inputValue()).toBe('Is it cold in Oslo?');
    await screenshot(workbench.page, 'crash');
  });
});
