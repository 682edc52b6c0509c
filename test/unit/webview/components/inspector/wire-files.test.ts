import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunEntry, WireView } from '../../../../../src/protocol';
import type { AttemptRecord } from '../../../../../src/types';
import type { Drawn } from '../../draw';
import { buttonsIn, drawPart, findButton, textOf } from '../../draw';
import type { LaneSample } from '../../samples';
import { HOSTILE, toOutcome, toReply, toRun } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const attempt = (number: number, fields: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt: number,
  startedAt: 0,
  endMs: 10,
  status: 200,
  endedBy: 'server',
  decision: 'done',
  reason: '',
  ...fields,
});
const LEDGER = [attempt(1, { status: 429 }), attempt(2)];

const VIEW: WireView = {
  attempts: [
    {
      name: 'attempt-1',
      method: 'POST',
      url: 'http://127.0.0.1:1234/v1/chat/completions',
      requestBytes: 1_900,
      response: {
        status: 429,
        bytes: 84,
        kind: 'html',
        contentType: 'text/html',
        isComplete: true,
        omittedBytes: 0,
      },
      files: ['request.http', 'request.json', 'response.raw', 'headers.txt'],
    },
    {
      name: 'attempt-2',
      method: 'POST',
      url: 'http://127.0.0.1:1234/v1/chat/completions',
      requestBytes: 1_900,
      response: {
        status: 200,
        bytes: 3_200_000,
        kind: 'events',
        contentType: 'text/event-stream',
        isComplete: false,
        omittedBytes: 500,
      },
      files: ['request.http', 'request.json', 'response.events', 'response.raw', 'headers.txt'],
    },
  ],
  copyForms: ['bash', 'openai'],
};

const ran = (id: string): RunEntry => toRun(id, toOutcome(id, toReply('hi')));

const LANES = { a: { entries: [ran('r1'), ran('r2')] }, b: { entries: [ran('s1')] } };

const show = async (
  view: WireView | null,
  ledger: readonly AttemptRecord[] = LEDGER,
  lanes: Record<string, LaneSample> = LANES,
): Promise<Drawn> => {
  const drawn = await drawPart(
    (playground) =>
      html`<pg-wire-files
        .playground=${playground}
        .laneId=${'a'}
        .runId=${'r1'}
        .ledger=${ledger}
      ></pg-wire-files>`,
    {
      lanes,
      answers: {
        'wire/read': view,
        'wire/copy': { variables: ['GROQ_API_KEY'] },
        'server/defaults': { defaults: { temperature: '0.8' } },
      },
    },
  );
  await drawn.settle();
  await drawn.settle();
  return drawn;
};

describe('WireFiles', () => {
  it('requests the record once, and lists the files of each attempt with their sizes', async () => {
    const { host, sent, text } = await show(VIEW);
    expect(sent('wire/read')).toEqual([{ laneId: 'a', runId: 'r1' }]);
    expect(buttonsIn(host)).toEqual([
      'Request of attempt 1',
      'HTTP of attempt 1',
      'Raw of attempt 1',
      'Headers of attempt 1',
      'Request of attempt 2',
      'HTTP of attempt 2',
      'Events of attempt 2',
      'Raw of attempt 2',
      'Headers of attempt 2',
      'Copy request as',
      'Compare run with',
      'Export run as',
    ]);
    expect(text()).toContain('1.9 kB');
    expect(text()).toContain('84 B');
    expect(text()).toContain('3.2 MB');
    // The same URL is shown once.
    expect(host.querySelectorAll('.address')).toHaveLength(1);
  });

  it('offers only the export of a run that has no other beside it', async () => {
    expect((await show(VIEW)).text()).toContain('Compare and export Both open in an editor');
    const { host, text } = await show(VIEW, LEDGER, { a: { entries: [ran('r1')] } });
    expect(buttonsIn(host)).not.toContain('Compare run with');
    expect(text()).not.toContain('Compare');
    expect(text()).toContain('Export It opens in an editor; keys are masked.');
  });

  it('describes unusual answers', async () => {
    const { text } = await show(VIEW);
    expect(text()).toContain('The body is an HTML page, not JSON. Its type: text/html.');
    expect(text()).toContain('The answer broke off after 3.2 MB.');
    expect(text()).toContain('500 B more arrived and are not kept.');
  });

  it('opens a file in the editor', async () => {
    const { host, sent, settle } = await show(VIEW);
    findButton(host, 'Events of attempt 2').click();
    await settle();
    expect(sent('wire/open')).toEqual([
      { laneId: 'a', runId: 'r1', attempt: 'attempt-2', file: 'response.events' },
    ]);
  });

  it('offers the possible forms, and names the variable of the key', async () => {
    const { host, sent, settle, playground } = await show(VIEW);
    findButton(host, 'Copy request as').click();
    await settle();
    const items = [...host.querySelectorAll<HTMLElement>('[role=menuitem]')];
    expect(items.map(({ textContent }) => textContent.trim())).toEqual([
      'cURL (bash)',
      'openai client (TypeScript)',
    ]);
    items[0]?.click();
    await settle();
    await settle();
    expect(sent('wire/copy')).toEqual([{ laneId: 'a', runId: 'r1', form: 'bash' }]);
    expect(playground.state.notice).toBe(
      'The request was copied as cURL (bash). It reads the key from GROQ_API_KEY.',
    );
  });

  it.each([
    ['nothing was sent', [], 'Nothing was sent.'],
    ['the record is no longer stored', LEDGER, 'The requests and answers are not stored'],
  ])('reports that %s', async (_, ledger, words) => {
    expect((await show({ attempts: [], copyForms: [] }, ledger)).text()).toContain(words);
  });

  it('exports the run, and with other lanes the last run of each', async () => {
    const { host, sent, settle } = await show(VIEW);
    const items = (): HTMLElement[] => [...host.querySelectorAll<HTMLElement>('[role=menuitem]')];
    findButton(host, 'Export run as').click();
    await settle();
    expect(items().map(({ textContent }) => textContent.trim())).toEqual([
      'Markdown',
      'Save Report…',
      'JSON',
      'Report to the makers of the server',
      'Markdown',
      'Save Report…',
      'JSON',
    ]);
    items()[3]?.click();
    await settle();
    findButton(host, 'Export run as').click();
    await settle();
    items()[5]?.click();
    await settle();
    expect(sent('run/export')).toEqual([
      { runs: [{ laneId: 'a', runId: 'r1' }], form: 'report' },
      {
        runs: [
          { laneId: 'a', runId: 'r2' },
          { laneId: 'b', runId: 's1' },
        ],
        form: 'html',
      },
    ]);
  });

  it('compares the run with the last run of another lane, part by part', async () => {
    const { host, sent, settle } = await show(VIEW);
    findButton(host, 'Compare run with').click();
    await settle();
    const groups = [...host.querySelectorAll('[role=group]')].map((group) =>
      group.getAttribute('aria-label'),
    );
    expect(groups).toEqual(['Lane 2, first-look']);
    const items = [...host.querySelectorAll<HTMLElement>('[role=menuitem]')];
    expect(items.map(({ textContent }) => textContent.trim())).toEqual([
      'Reply',
      'Reply as received',
      'Request',
      'Request as sent',
      'Tool calls',
      'Tool calls as received',
      'Settings of the lanes',
    ]);
    items[3]?.click();
    await settle();
    expect(sent('run/compare')).toEqual([
      {
        left: { laneId: 'a', runId: 'r1' },
        right: { laneId: 'b', runId: 's1' },
        part: 'request',
        form: 'raw',
      },
    ]);
  });

  it('shows whether each parameter was sent, dropped or overridden', async () => {
    const { host, text } = await show({
      ...VIEW,
      parameters: [
        { key: 'temperature', value: '0', setIn: 'lane', way: 'sent', sentAs: 'temperature', sentValue: '0' },
        {
          key: 'maxTokens',
          value: '512',
          setIn: 'connection',
          way: 'overridden',
          sentAs: 'max_tokens',
          sentValue: '256',
        },
        { key: 'topK', value: '40', setIn: 'lane', way: 'dropped' },
        { key: 'seed', way: 'raw', sentAs: 'seed', sentValue: '7' },
        { key: 'stop', value: '["a"]', setIn: 'lane', way: 'removed' },
        { key: 'numCtx', way: 'not-set' },
      ],
    });
    expect(text()).toContain('4 set, 1 sent, 1 dropped, 2 overridden, 1 by raw alone');
    const rows = [...host.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()),
    );
    expect(rows).toEqual([
      ['temperature', '0', 'lane', 'temperature'],
      ['maxTokens', '512', 'connection', 'max_tokens: 256 from raw overrides it'],
      ['topK', '40', 'lane', 'dropped, not supported by this connection'],
      ['seed', 'not set', '–', 'seed: 7 from raw'],
      ['stop', '["a"]', 'lane', 'removed by raw'],
      ['numCtx', 'not set', '–', '–'],
    ]);
    const fold = host.querySelector('details');
    expect([fold?.open, textOf(fold?.querySelector('summary') ?? null)]).toEqual([false, '1 not set']);
    expect(fold?.querySelectorAll('tbody tr')).toHaveLength(1);
  });

  it('shows what a model refuses, and what the reply reports, marked where something else was sent', async () => {
    const sent = { value: '0', setIn: 'lane', way: 'sent', sentAs: 'temperature', sentValue: '0' } as const;
    const { host, text } = await show({
      ...VIEW,
      parameters: [
        { key: 'temperature', ...sent, reported: '1' },
        { key: 'maxTokens', ...sent, reported: '0' },
        { key: 'topP', value: '0.9', setIn: 'lane', way: 'refused' },
        { key: 'seed', way: 'not-set' },
      ],
    });
    expect(text()).toContain('3 set, 2 sent, 1 dropped');
    const cells = [...host.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => textOf(cell)),
    );
    expect(cells).toEqual([
      ['temperature', '0', 'lane', 'temperature', '1'],
      ['maxTokens', '0', 'lane', 'temperature', '0'],
      ['topP', '0.9', 'lane', 'left out, this model does not take it', '–'],
      ['seed', 'not set', '–', '–'],
    ]);
    expect(host.querySelectorAll('td [title="Not what was sent"]')).toHaveLength(1);
  });

  it('asks the server for its defaults on demand', async () => {
    const parameters = [
      { key: 'temperature', value: '0', setIn: 'lane', way: 'sent', sentAs: 'temperature', sentValue: '0' },
      { key: 'topK', way: 'not-set' },
    ] as const;
    const { host, sent, settle, text } = await show({ ...VIEW, parameters: [...parameters] });
    expect(sent('server/defaults')).toEqual([]);
    findButton(host, 'Ask the server for its own defaults').click();
    await settle();
    await settle();
    expect(sent('server/defaults')).toEqual([{ laneId: 'a', runId: 'r1' }]);
    expect(text()).toContain("Server's own");
    const cells = [...host.querySelectorAll('tbody tr')].map((row) => textOf(row.lastElementChild));
    expect(cells).toEqual(['0.8', '–']);
    expect(host.querySelector('details')?.open).toBe(true);
  });

  it('shows texts of a server as text', async () => {
    const [first] = VIEW.attempts;
    const response = first?.response && { ...first.response, contentType: HOSTILE };
    const view = first && { ...VIEW, attempts: [{ ...first, url: HOSTILE, method: HOSTILE, response }] };
    const { host, text } = await show(view ?? null);
    expect(host.querySelector('img, script, a')).toBeNull();
    expect(text()).toContain(HOSTILE.replace(/\s+/g, ' ').trim());
  });
});
