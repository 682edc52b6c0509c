import { describe, expect, test } from 'vitest';
import { evaluationToCsv } from '../../../../src/inspect';
import { RefusalError } from '../../../../src/session';
import type { Opened, SessionSetup } from '../../../support/session/scripted-session';
import { calling, openSession } from '../../../support/session/scripted-session';

const tool = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const document = {
  messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
  tools: [tool],
  lanes: [{ id: 'a', sampling: { temperature: 0.5 } }, { id: 'b' }],
  evaluate: {
    repeat: 2,
    rows: [
      { id: 'oslo', $name: 'In Oslo', city: 'Oslo' },
      { id: 'rome', city: 'Rome' },
    ],
  },
  expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
};

/** Every reply calls the tool with Oslo. */
async function evaluate(setup: SessionSetup = {}): Promise<Opened> {
  const opened = await openSession({
    text: JSON.stringify(document),
    script: () => calling('get_weather'),
    ...setup,
  });
  await opened.ask('evaluation/start', { isConfirmed: true });
  await opened.session.evaluation.ended();
  return opened;
}

const exported = ({ session }: Opened) => session.evaluation.views.exported('weather');

describe('an exported evaluation', () => {
  test('has its lanes as they were set, its rows, what was counted and what was wrong', async () => {
    const evaluation = exported(await evaluate());
    expect(evaluation).toMatchObject({
      title: 'weather',
      mode: 'chat',
      repeat: 2,
      gates: { case: 1 },
      referenceId: 'a',
      lanes: [{ id: 'a', settings: { temperature: 0.5, rescueToolCalls: true } }, { id: 'b' }],
      rows: [{ id: 'oslo', name: 'In Oslo' }, { id: 'rome' }],
      summary: { planned: 8, passed: 4, failed: 4, isEnded: true },
    });
    expect(evaluation.stopped).toBeUndefined();
    expect(evaluation.durationMs).toBeGreaterThanOrEqual(0);
    expect(evaluation.startedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    const [, , rome] = evaluationToCsv(evaluation).trimEnd().split('\r\n').slice(1);
    expect(rome).toMatch(/^rome,rome,a,.*,"get_weather: city is ""Oslo""; expected ""Rome""\."$/);
  });

  test('has the limits of an agent run only if it is one', async () => {
    const evaluation = exported(await evaluate());
    expect(evaluation.lanes[0]?.settings).not.toHaveProperty('limits');
    const text = JSON.stringify({ ...document, evaluate: { ...document.evaluate, mode: 'agent' } });
    const agent = exported(await evaluate({ text }));
    expect(agent).toMatchObject({ mode: 'agent', lanes: [{ settings: { limits: {} } }, {}] });
  });

  test('is refused while there is none', async () => {
    const opened = await openSession({ text: JSON.stringify(document) });
    expect(() => exported(opened)).toThrow(RefusalError);
  });
});

describe('the texts of an expectation', () => {
  const place = { rowId: 'oslo', laneId: 'a', repeat: 1 };

  test('are what it wants and what came', async () => {
    const { views } = (await evaluate()).session.evaluation;
    const failing = await views.texts({ ...place, rowId: 'rome' }, 0);
    expect(failing.title).toBe('rome, sample 1: expected ↔ received');
    expect(failing.left.text).toContain('Rome');
    expect(failing.left.text).not.toContain('Oslo');
    expect(failing.right.text).toContain('Oslo');
    expect((await views.texts(place, 0)).title).toBe('In Oslo, sample 1: expected ↔ received');
  });

  test('are refused for a sample or an expectation that is not there', async () => {
    const { views } = (await evaluate()).session.evaluation;
    await expect(views.texts({ ...place, repeat: 9 }, 0)).rejects.toThrow(RefusalError);
    await expect(views.texts(place, 7)).rejects.toThrow(RefusalError);
  });
});
