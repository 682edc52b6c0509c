import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawn } from '../../draw';
import { drawPart, findButton } from '../../draw';
import { toMessage, toOutcome, toReply, toRun } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const drawReply = (content: string): Promise<Drawn> =>
  drawPart((playground) => html`<pg-transcript .playground=${playground} .laneId=${'a'}></pg-transcript>`, {
    lanes: { a: { entries: [toMessage('m'), toRun('r1', toOutcome('r1', toReply(content)))] } },
  });

/** The parser is loaded when it is needed first. */
async function untilRendered({ host, settle }: Drawn): Promise<Element> {
  await expect.poll(() => host.querySelector('.markdown')).not.toBeNull();
  await settle();
  return host.querySelector('.markdown') as Element;
}

describe('RenderedReply', () => {
  it('is off at first, and switches all replies and back', async () => {
    const drawn = await drawReply('It is **cold**.');
    const { host, settle, playground } = drawn;
    expect(host.textContent).toContain('**cold**');
    findButton(host, 'Show rendered').click();
    await settle();
    expect((await untilRendered(drawn)).querySelector('b')?.textContent).toBe('cold');
    expect(playground.state.view.isRendered).toBe(true);
    findButton(host, 'Show as sent').click();
    await settle();
    expect(host.querySelector('.markdown')).toBeNull();
    expect(host.textContent).toContain('**cold**');
  });

  it('shows a long reply as it was sent, and says why', async () => {
    const { host, settle } = await drawReply(`**cold** ${'x'.repeat(12_000)}`);
    findButton(host, 'Show rendered').click();
    await settle();
    expect(host.textContent).toContain('**cold**');
    expect(host.textContent).toContain('longer than 12000 characters');
  });
});
