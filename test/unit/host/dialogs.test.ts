// Texts from outside are shown literally in every kind of dialog.
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { askForSecret, pickMany, pickOne, showMessage } from '../../../src/host/dialogs';
import { filesUnder } from '../../support/texts/source-files';

const shown = vi.hoisted(() => [] as unknown[][]);
vi.mock('vscode', () => {
  const show =
    (kind: string, answer?: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      shown.push([kind, ...args]);
      return Promise.resolve(answer?.(...args));
    };
  const first = (items: unknown, options: unknown): unknown => {
    const { canPickMany } = options as { canPickMany?: boolean };
    return canPickMany ? items : (items as unknown[])[0];
  };
  return {
    window: {
      showInformationMessage: show('information'),
      showWarningMessage: show('warning', (...args) => args.at(-1)),
      showErrorMessage: show('error'),
      showInputBox: show('input'),
      showQuickPick: show('pick', first),
    },
  };
});
beforeEach(() => void (shown.length = 0));

const LINK = '[Sign in](command:acme.steal)';
const INERT = '[Sign in] (command:acme.steal)';

describe('showMessage', () => {
  test('shows neither a link nor a second line', async () => {
    await showMessage('information', `${LINK} is done`);
    await showMessage('error', 'a\nb\u202ec');
    expect(shown).toEqual([
      ['information', `${INERT} is done`],
      ['error', 'a\\u{a}b\\u{202e}c'],
    ]);
  });

  test('keeps the lines of the detail, which only modal messages have', async () => {
    const answer = await showMessage('warning', 'Run?', { modal: true, detail: `a\u200b\n${LINK}` }, 'Run');
    expect(answer).toBe('Run');
    expect(shown).toEqual([['warning', 'Run?', { modal: true, detail: `a\\u{200b}\n${INERT}` }, 'Run']]);
  });
});

describe('askForSecret', () => {
  test('shows no link in a label', async () => {
    await askForSecret({ title: `Key for ${LINK}`, prompt: `${LINK}. Kept.`, validate: () => undefined });
    expect(shown[0]?.[1]).toMatchObject({
      title: `Key for ${INERT}`,
      prompt: `${INERT}. Kept.`,
      password: true,
    });
  });
});

describe('pickOne, pickMany', () => {
  test('show neither icons nor hidden characters of a label, and return the original item', async () => {
    const item = { label: '$(verified) a\u2066', description: LINK, detail: 'x\u3164', value: 7 };
    expect(await pickOne([item], { title: 'Choose' })).toBe(item);
    expect(await pickMany([item], { title: 'Choose' })).toEqual([item]);
    const visible = { label: '$ (verified) a\\u{2066}', description: INERT, detail: 'x\\u{3164}' };
    for (const [, items] of shown) expect(items).toMatchObject([visible]);
  });
});

test('no other file of the host opens a dialog or an output channel', () => {
  const files = filesUnder('src/host', '.ts');
  const opening = files.filter((file) =>
    /\b(show(Information|Warning|Error)Message|showInputBox|showQuickPick|create(QuickPick|InputBox|OutputChannel))\b/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(opening.toSorted()).toEqual(['src/host/dialogs.ts', 'src/host/log.ts']);
});
