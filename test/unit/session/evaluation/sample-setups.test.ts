import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../../src/session/evaluation/batch';
import { SampleSetups } from '../../../../src/session/evaluation/sample-setups';
import type { OpenRun } from '../../../../src/session/run/setup';
import { CONNECTION, NO_ROWS, scriptedServices } from '../../../support/session/scripted-session';

/** The runs of all samples, in the order in which they are sent. */
async function openRuns(change: object = {}, options: object = {}): Promise<OpenRun[]> {
  const { services } = scriptedServices({});
  const text = JSON.stringify({
    messages: [{ role: 'user', content: 'weather in {{city}}' }],
    tools: [{ name: 'get_weather' }, { name: 'other', offered: false }],
    evaluate: { repeat: 2, rows: [{ city: 'Oslo' }, { city: 'Bergen' }], ...options },
    ...change,
  });
  const { tools, clock } = services;
  const source = { path: 'p', text, tools, rowsFile: NO_ROWS, clock, connections: [CONNECTION], choice: {} };
  const { batch, problems } = await readBatch(source);
  if (!batch) throw new Error(JSON.stringify(problems));
  const setups = new SampleSetups(batch.setting);
  for (const lane of batch.lanes) await setups.open(services, lane, new AbortController().signal);
  return batch.plan(() => true).map((sample) => setups.of(sample));
}

describe('SampleSetups', () => {
  it('makes the setup of a case once for its repeats', async () => {
    const [oslo, bergen, osloAgain, bergenAgain] = await openRuns();
    expect(osloAgain).toBe(oslo);
    expect(bergenAgain).toBe(bergen);
    expect(oslo?.setup.messages).toEqual([{ role: 'user', content: 'weather in Oslo' }]);
    expect(bergen?.setup.messages).toEqual([{ role: 'user', content: 'weather in Bergen' }]);
    expect(oslo?.setup).toMatchObject({ tools: [{ name: 'get_weather' }], idleTools: ['other'] });
    expect(oslo?.setup.id).not.toBe(bergen?.setup.id);
  });

  it('copies tools once that all rows share, and opens a connection once for all samples', async () => {
    const [oslo, bergen] = await openRuns();
    expect(oslo?.setup.tools).toBe(bergen?.setup.tools);
    expect(Object.isFrozen(oslo?.setup.tools[0]?.parameters)).toBe(true);
    expect(oslo?.connection).toBeDefined();
    expect(oslo?.connection).toBe(bergen?.connection);
  });

  it('makes one for each repeat whose seed varies', async () => {
    const lanes = [{ id: 'a', sampling: { seed: 7 } }];
    const runs = await openRuns({ lanes }, { varySeed: true });
    expect(runs.map(({ setup }) => setup.sampling.seed)).toEqual([7, 7, 8, 8]);
  });

  it('refuses the choice of a tool that is not offered', async () => {
    const [run] = await openRuns({ lanes: [{ id: 'a', toolChoice: { tool: 'other' } }] });
    expect(run?.connection).toBeUndefined();
    expect(String(run?.error)).toContain('other, which is not offered');
  });
});
