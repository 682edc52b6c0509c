import { describe, expect, test } from 'vitest';
import type { LeavingFrom } from '../../../../src/connections/diagnose/place';
import { describePlace, explainLocalhost, findPlace } from '../../../../src/connections/diagnose/place';
import { requestsLeaveFrom } from '../../../../src/host/requests-leave-from';

const at = (from: LeavingFrom, environment: Record<string, string> = {}, file = '') =>
  findPlace(from, { environment, hasFile: (path) => path === file });

const DESKTOP = { remoteName: undefined, isWeb: false, isWithFolder: false };
const HERE = requestsLeaveFrom(DESKTOP);

describe('the machine that requests leave from', () => {
  test('is this computer, where localhost needs no explanation', () => {
    const here = at(HERE);
    expect(describePlace(here)).toBe('this computer');
    expect(explainLocalhost(here)).toBeUndefined();
  });

  test('is the remote machine when the extension runs there, with the setting that changes it', () => {
    const remote = at(requestsLeaveFrom({ ...DESKTOP, remoteName: 'ssh-remote', isWithFolder: true }));
    expect(describePlace(remote)).toBe('the remote machine (SSH)');
    expect(explainLocalhost(remote)).toBe(
      '`localhost` is the remote machine (SSH), which may not be the computer in front of you. To let requests leave from this computer, add `"remote.extensionKind": { "provider-playground.provider-playground": ["ui"] }` to your settings.',
    );
  });

  test('is this computer when only the folder is remote, with the setting that changes it', () => {
    const here = at(requestsLeaveFrom({ ...DESKTOP, remoteName: 'ssh-remote' }));
    expect(describePlace(here)).toBe('this computer');
    expect(explainLocalhost(here)).toBe(
      '`localhost` is this computer, not the remote machine (SSH), where the folder is. To let requests leave from the remote machine (SSH), add `"remote.extensionKind": { "provider-playground.provider-playground": ["workspace"] }` to your settings.',
    );
  });

  test('may be WSL', () => {
    const from = requestsLeaveFrom({ ...DESKTOP, remoteName: 'wsl', isWithFolder: true });
    const wsl = at(from, { WSL_DISTRO_NAME: 'Debian' });
    expect(describePlace(wsl)).toBe('the remote machine (WSL)');
    expect(explainLocalhost(wsl)).toContain('runs under Windows');
    expect(describePlace(at(HERE, { WSL_DISTRO_NAME: 'Debian' }))).toBe('this computer, inside WSL');
  });

  test.each([
    ['codespaces', 'the remote machine (GitHub Codespaces)'],
    ['127.0.0.1:8080', 'the machine that serves this window'],
    [undefined, 'the machine that serves this window'],
  ])('is not the browser’s machine in a window in the browser: for %s it is %s', (remoteName, name) => {
    const place = at(requestsLeaveFrom({ remoteName, isWeb: true, isWithFolder: true }));
    expect(describePlace(place)).toBe(name);
    expect(explainLocalhost(place)).toBe(
      `\`localhost\` is ${name}, which may not be the computer in front of you.`,
    );
  });

  test('has the remote’s name if that belongs to an unknown extension', () => {
    const { name } = requestsLeaveFrom({ ...DESKTOP, remoteName: 'made-up', isWithFolder: true });
    expect(name).toBe('the remote machine (made-up)');
  });

  test.each([
    ['/.dockerenv', {}],
    ['/run/.containerenv', {}],
    ['', { REMOTE_CONTAINERS: 'true' }],
    ['', { CODESPACES: 'true' }],
  ])('may be a container, detected by %s %o', (file, environment) => {
    const container = at(HERE, environment, file);
    expect(describePlace(container)).toBe('this computer, inside a container');
    expect(explainLocalhost(container)).toContain('host.docker.internal');
  });
});
