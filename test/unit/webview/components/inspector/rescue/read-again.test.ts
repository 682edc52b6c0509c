import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reading, ReadingPair } from '../../../../../../src/protocol';
import type { Drawn } from '../../../draw';
import { drawPart, findButton, textOf } from '../../../draw';
import { HOSTILE } from '../../../samples';
import { registerOnce } from '../../../register-once';

beforeAll(registerOnce);

const PLACE = { laneId: 'a', runId: 'r1' };
const reading = (fields: Partial<Reading> = {}): Reading => ({
  content: 'Let me look.',
  length: 12,
  calls: [],
  rejected: [],
  omittedCalls: 0,
  ...fields,
});
const CALL = { name: 'get_weather', arguments: { city: 'Oslo' }, format: 'hermes-json' };
const PAIR: ReadingPair = {
  before: reading({ calls: [CALL] }),
  after: reading({ content: '<tool_call>…', length: 12 }),
  isSame: false,
  verdict: 'none',
  formats: [{ id: 'hermes-json', title: 'Hermes' }],
};

async function draw(pair: ReadingPair = PAIR, wasRescued = true): Promise<Drawn> {
  const drawn = await drawPart(
    (playground) =>
      html`<pg-read-again
        .playground=${playground}
        .laneId=${'a'}
        .runId=${'r1'}
        .wasRescued=${wasRescued}
      ></pg-read-again>`,
    { answers: { 'reading/make': pair } },
  );
  await drawn.settle();
  await drawn.settle();
  return drawn;
}
const columns = ({ host }: Drawn): string[] => [...host.querySelectorAll('.reading')].map(textOf);

describe('ReadAgain', () => {
  it.each([true, false])('first reads with rescue switched (rescued: %s)', async (wasRescued) => {
    const { sent } = await draw(PAIR, wasRescued);
    expect(sent('reading/make')).toEqual([{ ...PLACE, rescueToolCalls: !wasRescued, tools: 'offered' }]);
  });

  it('shows both readings side by side, with the difference', async () => {
    const drawn = await draw();
    const [before, after] = columns(drawn);
    expect(before).toContain('Original reading');
    expect(before).toContain('get_weather {"city":"Oslo"} hermes-json');
    expect(after).toContain('Read again');
    expect(after).toContain('[]');
    expect(drawn.text()).toContain('Read this way, the text is the final answer and there is no call.');
  });

  it('says that nothing differs, and offers no comparison', async () => {
    const { text, host } = await draw({ ...PAIR, isSame: true });
    expect(text()).toContain('Nothing is different.');
    expect(() => findButton(host, 'Compare in an editor')).toThrow();
  });

  it('reads again with the chosen options, and compares the result', async () => {
    const { host, sent, settle } = await draw();
    const [rescue, format, tools] = [...host.querySelectorAll('pg-select-box')];
    format?.dispatchEvent(new CustomEvent('pg-change', { detail: 'hermes-json' }));
    await settle();
    tools?.dispatchEvent(new CustomEvent('pg-change', { detail: 'current' }));
    await settle();
    // The reading beside the original one is named by what it is compared with.
    expect(rescue).toMatchObject({ label: 'Compare with', value: 'off' });
    const chosen = { ...PLACE, rescueToolCalls: false, format: 'hermes-json', tools: 'current' };
    expect(sent('reading/make').at(-1)).toEqual(chosen);
    findButton(host, 'Compare in an editor').click();
    await settle();
    expect(sent('reading/compare')).toEqual([chosen]);
    format?.dispatchEvent(new CustomEvent('pg-change', { detail: 'all' }));
    await settle();
    expect(sent('reading/make').at(-1)).not.toHaveProperty('format');
  });

  it('shows texts of a model as text', async () => {
    const rejected = [{ format: HOSTILE, reason: HOSTILE, detail: HOSTILE }];
    const hostile = reading({ content: HOSTILE, calls: [{ name: HOSTILE, arguments: HOSTILE }], rejected });
    const { host } = await draw({ ...PAIR, before: hostile, after: hostile });
    expect(host.querySelector('img, script, a')).toBeNull();
    expect(columns({ host } as Drawn)[0]).toContain('<img');
  });
});
