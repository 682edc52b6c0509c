import { expect, test } from 'vitest';
import { findingOf } from '../../../support/diagnosis/diagnosis';
import { makeTurn, NATIVE, RESCUED, WEATHER } from '../../../support/session/turns';

const EDITOR = { method: 'sendRequest', url: 'vscode-lm:harbour/pilot', headers: {}, body: '{}' };

test('a call as text is advised with flags of a server, but not where VS Code passed the request on', () => {
  const turn = makeTurn({ rescued: [RESCUED] });
  const circumstances = { tools: [WEATHER] };
  expect(findingOf('call-as-text', turn, circumstances).next).toContain('--tool-call-parser');
  turn.exchange.request = EDITOR;
  expect(findingOf('call-as-text', turn, circumstances)).not.toHaveProperty('next');
});

test('an empty object in place of required arguments is named where VS Code passed the request on', () => {
  const turn = makeTurn({ native: [{ ...NATIVE, arguments: {} }] });
  turn.exchange.request = EDITOR;
  const { what } = findingOf('lost-arguments', turn, { tools: [WEATHER] });
  expect(what).toContain('VS Code may have replaced broken arguments');
});
