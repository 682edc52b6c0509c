import { describe, expect, test } from 'vitest';
import { describePlace, explainLocalhost, findPlace } from '../../../../src/host/diagnose/place';

const at = (name: string, environment: Record<string, string> = {}, file = '') =>
  findPlace(name, { environment, hasFile: (path) => path === file });

describe('the place that requests leave from', () => {
  test('is this computer, and localhost no surprise', () => {
    const here = at('this computer');
    expect(describePlace(here)).toBe('this computer');
    expect(explainLocalhost(here)).toBeUndefined();
  });

  test('may be the other end of SSH', () => {
    const remote = at('the remote machine (ssh-remote)');
    expect(describePlace(remote)).toBe('the remote machine (ssh-remote)');
    expect(explainLocalhost(remote)).toContain('may not be the machine that you sit at');
  });

  test('may be WSL', () => {
    const wsl = at('the remote machine (wsl)', { WSL_DISTRO_NAME: 'Debian' });
    expect(describePlace(wsl)).toBe('the remote machine (wsl), inside WSL');
    expect(explainLocalhost(wsl)).toContain('runs under Windows');
  });

  test.each([
    ['/.dockerenv', {}],
    ['/run/.containerenv', {}],
    ['', { REMOTE_CONTAINERS: 'true' }],
    ['', { CODESPACES: 'true' }],
  ])('may be a container, known by %s %o', (file, environment) => {
    const container = at('this computer', environment, file);
    expect(describePlace(container)).toBe('this computer, inside a container');
    expect(explainLocalhost(container)).toContain('host.docker.internal');
  });
});
