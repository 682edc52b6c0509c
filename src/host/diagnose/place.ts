// Describes the machine that requests leave from, which is the one that `localhost` means. Independent of vscode.
import { t } from '@vscode/l10n';
import { existsSync } from 'node:fs';

export interface Place {
  /** Such as `the remote machine (ssh-remote)`. */
  name: string;
  /** Whether it may be a machine other than the user's own. */
  isElsewhere: boolean;
  isContainer: boolean;
  isWsl: boolean;
}

export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether a file exists. */
  hasFile: (path: string) => boolean;
}

const MARKS_OF_CONTAINERS = ['/.dockerenv', '/run/.containerenv'];

/** @param name Name of the machine in the panel. */
export function findPlace(
  name: string,
  { environment, hasFile }: Surroundings = { environment: process.env, hasFile: existsSync },
): Place {
  return {
    name,
    isElsewhere: name !== t('this computer'),
    isContainer:
      MARKS_OF_CONTAINERS.some(hasFile) ||
      environment['REMOTE_CONTAINERS'] !== undefined ||
      environment['CODESPACES'] !== undefined,
    isWsl: environment['WSL_DISTRO_NAME'] !== undefined,
  };
}

/** Describes the machine in one phrase. */
export function describePlace({ name, isContainer, isWsl }: Place): string {
  const inside = [...(isWsl ? ['WSL'] : []), ...(isContainer ? [t('a container')] : [])];
  return inside.length === 0 ? name : t('{0}, inside {1}', name, inside.join(', '));
}

/** Explains `localhost` where its meaning may be surprising. */
export function explainLocalhost({ name, isElsewhere, isContainer, isWsl }: Place): string | undefined {
  if (isContainer) {
    return t(
      'Inside a container `localhost` is the container itself: the machine around it is often `host.docker.internal`.',
    );
  }
  if (isWsl) {
    return t(
      'Inside WSL `localhost` is the Linux side: a server that runs under Windows is reached by the address of Windows, unless WSL mirrors the network.',
    );
  }
  return isElsewhere
    ? t('`localhost` is {0}, which may not be the machine that you sit at.', name)
    : undefined;
}
