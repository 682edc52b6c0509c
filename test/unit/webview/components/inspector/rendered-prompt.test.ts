import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PromptView } from '../../../../../src/protocol';
import type { PromptState } from '../../../../../webview/state/panel-state';
import type { Drawn } from '../../draw';
import { buttonsIn, drawPart, findButton, hiddenIn, textOf } from '../../draw';
import { formatCount } from '../../../../../webview/text/format';
import { CONNECTION, ENVIRONMENT, HIDDEN, HOSTILE } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const VIEW: PromptView = {
  head: '<|im_start|>user\nhi [INST] <|im_end|>',
  tail: '',
  length: 36,
  tokens: 1_500,
  contextLength: 4_096,
  specialTokens: ['<|im_start|>', '<|im_end|>', '<|im', '.*'],
  isFromTokenizer: true,
  missingTools: [],
};

async function show(
  prompt?: Partial<PromptState>,
  runId: string | undefined = 'r1',
  answer: unknown = VIEW,
): Promise<Drawn> {
  const drawn = await drawPart(
    (playground) =>
      html`<pg-rendered-prompt
        .playground=${playground}
        .laneId=${'a'}
        .runId=${runId}
      ></pg-rendered-prompt>`,
    { answers: { 'prompt/render': answer } },
  );
  if (prompt) {
    drawn.playground.update((state) => ({ ...state, prompt: { place: { laneId: 'a', runId }, ...prompt } }));
    await drawn.settle();
  }
  return drawn;
}
const marksIn = ({ host }: Drawn): string[] =>
  [...host.querySelectorAll('mark')].map((mark) => mark.textContent);

describe('RenderedPromptSection', () => {
  it('asks nothing by itself', async () => {
    const { frames, host } = await show();
    expect(frames).toEqual([]);
    expect(buttonsIn(host)).toEqual(['Show rendered prompt', 'Show what would be sent now']);
  });

  it.each([
    [true, 'The server renders it with the chat template of the model.'],
    [undefined, 'Where its server counts tokens, their number is shown.'],
  ])('says what can be had of the connection (shows prompts: %s)', async (rendersPrompts, words) => {
    const drawn = await show();
    drawn.playground.update((state) => {
      const environment = { ...ENVIRONMENT, connections: [{ ...CONNECTION, rendersPrompts }] };
      return { ...state, session: { ...state.session, environment } };
    });
    await drawn.settle();
    expect(drawn.text()).toContain(words);
  });

  it('asks for the prompt of the run, or of what would be sent now', async () => {
    const { host, sent, settle } = await show();
    findButton(host, 'Show rendered prompt').click();
    findButton(host, 'Show what would be sent now').click();
    await expect.poll(() => sent('prompt/render')).toHaveLength(2);
    expect(sent('prompt/render')).toEqual([{ laneId: 'a', runId: 'r1' }, { laneId: 'a' }]);
    await settle();
    expect(textOf(host)).toContain('Of what would be sent now');
  });

  it('offers only what would be sent now where there is no run', async () => {
    const { host, sent, settle } = await drawPart(
      (playground) =>
        html`<pg-rendered-prompt .playground=${playground} .laneId=${'a'}></pg-rendered-prompt>`,
    );
    findButton(host, 'Show rendered prompt').click();
    await settle();
    await expect.poll(() => sent('prompt/render')).toEqual([{ laneId: 'a' }]);
  });

  it('marks the special tokens, the longest first, and shows the counts', async () => {
    const drawn = await show({ view: VIEW });
    expect(marksIn(drawn)).toEqual(['<|im_start|>', '<|im_end|>']);
    expect(drawn.host.querySelector('pre')?.textContent).toBe(VIEW.head);
    const text = drawn.text();
    expect(text).toContain('1 500 tokens 36.6 % of the context');
    expect(text).toContain('4 096 tokens loaded');
    expect(text).toContain('Special tokens are marked.');
    expect(text).not.toContain('Not in the prompt');
    findButton(drawn.host, 'Open the rendered prompt in an editor').click();
    expect(drawn.sent('prompt/open')).toEqual([{ laneId: 'a', runId: 'r1' }]);
  });

  it('says what the server does not report, and which tools are missing', async () => {
    const { tokens: _tokens, contextLength: _length, ...unknown } = VIEW;
    const drawn = await show({
      view: { ...unknown, isFromTokenizer: false, missingTools: ['get_weather', 'b'] },
    });
    expect(drawn.text().match(/not reported/g)).toHaveLength(2);
    expect(drawn.text()).toContain('marked by their form');
    expect(drawn.text()).toContain('Not in the prompt: get_weather, b.');
  });

  it('shows the number of tokens alone where the server only counts them', async () => {
    const { head: _head, contextLength: _length, ...rest } = VIEW;
    const view: PromptView = { ...rest, head: '', length: 0, specialTokens: [], isCountOnly: true };
    const drawn = await show({ view });
    expect(drawn.text()).toContain('1 500 tokens');
    expect(drawn.text()).toContain('The server counts the tokens of a prompt, but does not show its text.');
    expect(drawn.host.querySelector('pre')).toBeNull();
    expect(drawn.text()).not.toContain('special tokens');
    expect(buttonsIn(drawn.host)).toEqual(['Show rendered prompt', 'Show what would be sent now']);
  });

  it('draws text of the server as text, with hidden characters shown', async () => {
    const head = `${HOSTILE}<|x|>${HIDDEN}`;
    const drawn = await show({
      view: { ...VIEW, head, specialTokens: ['<|x|>'], missingTools: [HOSTILE, HIDDEN] },
    });
    expect(drawn.host.querySelector('img, script')).toBeNull();
    expect(hiddenIn(drawn.host)).toEqual([]);
    expect(marksIn(drawn)).toEqual(['<|x|>']);
  });

  it('says how much of a long prompt is not shown, and marks only so many tokens', async () => {
    const head = '<s>a'.repeat(1_500);
    const drawn = await show({
      view: { ...VIEW, head, tail: 'end<s>', length: 16_000, specialTokens: ['<s>'] },
    });
    expect(marksIn(drawn)).toHaveLength(1_001);
    expect(drawn.host.querySelector('.rest')?.textContent?.trim()).toBe(
      `… ${formatCount(9_994)} characters are not shown here …`,
    );
  });

  it('shows an error with what, why and next, and can be cancelled while it waits', async () => {
    const error = {
      code: 'unsupported',
      title: 'No',
      what: 'It cannot.',
      why: 'No route.',
      next: 'Use `vLLM`.',
    };
    const failed = await show({ error });
    expect(textOf(failed.host.querySelector('[role=alert]'))).toBe(
      'what It cannot.why No route.next Use vLLM.',
    );
    const waiting = await show({});
    expect(waiting.text()).toContain('Asking the server…');
    findButton(waiting.host, 'Cancel').click();
    await waiting.settle();
    expect(waiting.text()).not.toContain('Asking the server…');
  });

  it('shows nothing of another lane or run', async () => {
    const { text } = await show({ view: VIEW, place: { laneId: 'a', runId: 'other' } });
    expect(text()).not.toContain('im_start');
  });
});
