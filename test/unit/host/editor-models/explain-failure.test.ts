import { describe, expect, it } from 'vitest';
import { explainEmptyList, explainFailure } from '../../../../src/host/editor-models/explain-failure';
import { editorError } from '../../../support/editor-models/fake-editor-models';

const MODEL = { vendor: 'copilot', id: 'gpt' };

describe('explainFailure', () => {
  it.each<[string, Error, string, string]>([
    [
      'the code of a model that is gone',
      editorError('x', { code: 'NotFound' }),
      'refused',
      'Sign in, or pick another.',
    ],
    ['the code of a refused consent', editorError('x', { code: 'NoPermissions' }), 'refused', 'allow it'],
    ['the code of a limit', editorError('x', { code: 'Blocked' }), 'refused', 'nothing is retried by itself'],
    [
      'the name of a used up quota',
      editorError('x', { name: 'ChatQuotaExceeded' }),
      'refused',
      'Wait until it is renewed',
    ],
    [
      'the name of a rate limit',
      editorError('x', { name: 'ChatRateLimited' }),
      'refused',
      'Wait before you run again',
    ],
    [
      'the text of a used up quota',
      editorError('You exceeded your monthly quota.'),
      'refused',
      'Wait until it is renewed',
    ],
    [
      'the text of a long message',
      editorError('Message exceeds token limit.'),
      'refused',
      'Shorten the conversation',
    ],
    ['the text of a rate limit', editorError('Too many requests'), 'refused', 'Wait before you run again'],
    ['anything else', editorError('socket hang up'), 'response-format', 'Try again'],
    [
      'the code before the text',
      editorError('quota?', { code: 'NotFound' }),
      'refused',
      'Sign in, or pick another.',
    ],
    [
      'a code that says nothing by its text',
      editorError('rate limit', { code: 'Unknown' }),
      'refused',
      'Wait',
    ],
  ])('goes by %s', (_title, thrown, code, next) => {
    const error = explainFailure(thrown, MODEL);
    expect(error.code).toBe(code);
    expect(error.explanation.next).toContain(next);
    expect(error.explanation.what).toContain('copilot/gpt');
    expect(error.attempts).toBe(1);
  });

  it('quotes what was said, bounded and on one line', () => {
    const { why } = explainFailure(editorError(`one\n\ntwo ${'x'.repeat(2000)}`), MODEL).explanation;
    expect(why).toContain('It said: “one two xxx');
    expect(why.length).toBeLessThan(700);
  });

  it('says it first, because a list may cut off the rest, and with one full stop', () => {
    const { why } = explainFailure(editorError('The harbour is closed.'), MODEL).explanation;
    expect(why).toMatch(/^It said: “The harbour is closed\.” VS Code passes on/);
  });

  it('keeps what arrived before', () => {
    const partial = { content: 'half' };
    expect(explainFailure(editorError('gone'), MODEL, partial).partial).toEqual(partial);
  });

  it('reads what is no error', () => {
    expect(explainFailure('quota', MODEL).explanation.why).toContain('It said: “quota”.');
  });
});

describe('explainEmptyList', () => {
  const nowhere = { isRemote: false, affinity: undefined, ownId: 'acme.play', hasChat: false };

  it.each<[string, object, string]>([
    ['a remote window', { isRemote: true }, 'This window works on another machine'],
    ['extensions in several hosts', { affinity: { 'acme.play': 2 } }, '`extensions.experimental.affinity`'],
    ['an editor without Copilot', {}, 'VSCodium, code-server'],
    ['a setting for others alone', { affinity: { 'acme.other': 2 } }, 'VSCodium, code-server'],
    ['nobody signed in, a policy, or a start that goes on', { hasChat: true }, 'nobody is signed in'],
    [
      'the same, in a remote window with Copilot beside us',
      { isRemote: true, hasChat: true },
      'nobody is signed in',
    ],
  ])('says why in %s, and what to do', (_title, change, why) => {
    const explained = explainEmptyList({ ...nowhere, ...change });
    expect(explained.why).toContain(why);
    expect(explained.next).not.toBe('');
  });
});
