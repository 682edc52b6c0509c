// Whether a connection is offered to the editor's chat, and each reason why it is not although its switch is on.
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections';
import type { ChatWindow } from '../../../../src/host/language-model/chat-offer';
import {
  chatOffer,
  hasChatSwitch,
  isOffered,
  settingOfCopy,
  splitReason,
} from '../../../../src/host/language-model/chat-offer';

const own = (more: Partial<Connection> = {}, offerToChat: boolean | undefined = true): Connection => ({
  id: 'own',
  label: 'Own',
  scope: 'user',
  setting: { provider: 'local-host', ...(offerToChat !== undefined && { offerToChat }) },
  ...more,
});
const TRUSTED: ChatWindow = { isTrusted: true };

describe('chatOffer', () => {
  it('is off unless the switch is on, and then on', () => {
    expect(chatOffer(own({}, false), TRUSTED, false)).toEqual({ kind: 'off' });
    expect(chatOffer(own(), TRUSTED, false)).toEqual({ kind: 'on' });
  });

  it.each<[string, Connection, ChatWindow, boolean, RegExp]>([
    ['a workspace defines it', own({ scope: 'workspace' }), TRUSTED, false, /a workspace sets this one/],
    ['a folder defines it', own({ scope: 'folder' }), TRUSTED, false, /a workspace sets this one/],
    ['its setting is wrong', own({ problem: 'no such field' }), TRUSTED, false, /^no such field$/],
    ['the workspace is not trusted', own(), { isTrusted: false }, false, /not trusted/],
    [
      'the chat runs in another host',
      own(),
      { isTrusted: true, split: 'Elsewhere.' },
      false,
      /^Elsewhere\.$/,
    ],
    ['its key is missing', own(), TRUSTED, true, /key is missing.* Set it here/],
  ])('says that %s', (_name, connection, window, isKeyMissing, reason) => {
    const offer = chatOffer(connection, window, isKeyMissing);
    expect(offer).toMatchObject({ kind: 'blocked', reason: expect.stringMatching(reason) as string });
  });

  it('has a switch only for connections of the user settings', () => {
    const scopes = ['user', 'workspace', 'folder', 'module', 'extension', 'built-in'] as const;
    expect(scopes.filter((scope) => hasChatSwitch(own({ scope })))).toEqual(['user']);
    expect(scopes.filter((scope) => isOffered(own({ scope })))).toEqual(['user']);
  });
});

describe('splitReason', () => {
  const HERE = { isRemote: false, affinity: undefined, ownId: 'acme.play', hasChat: false };

  it('says why nothing is offered where the chat would run in another host', () => {
    expect(splitReason(HERE)).toBeUndefined();
    expect(splitReason({ ...HERE, isRemote: true })).toContain('another machine');
    expect(splitReason({ ...HERE, affinity: { 'acme.play': 2 } })).toContain(
      'extensions.experimental.affinity',
    );
  });
});

describe('settingOfCopy', () => {
  const setting = { provider: 'local-host', offerToChat: true, chatRawOptions: true, model: 'tiny' };

  it('keeps what the user settings say of the chat, and nothing of what a workspace says', () => {
    expect(settingOfCopy(own({ setting }))).toEqual(setting);
    for (const scope of ['workspace', 'folder'] as const)
      expect(settingOfCopy(own({ setting, scope }))).toEqual({ provider: 'local-host', model: 'tiny' });
  });
});
