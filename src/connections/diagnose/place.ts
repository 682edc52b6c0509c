// Describes the machine that requests leave from, which is the one that `localhost` means.
import { t } from '@vscode/l10n';
import { existsSync } from 'node:fs';
import { quote } from './words';

export interface LeavingFrom {
  /** Such as `the remote machine (SSH)`. */
  name: string;
  /** For a window with a local and a remote side: the side that requests do not leave from, but could. */
  otherSide?: { name: string; extensionKind: 'ui' | 'workspace' } | undefined;
}

export interface RequestPlace extends LeavingFrom {
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

export function findPlace(
  from: LeavingFrom,
  { environment, hasFile }: Surroundings = { environment: process.env, hasFile: existsSync },
): RequestPlace {
  return {
    ...from,
    isElsewhere: from.name !== t('this computer'),
    isContainer:
      MARKS_OF_CONTAINERS.some(hasFile) ||
      environment['REMOTE_CONTAINERS'] !== undefined ||
      environment['CODESPACES'] !== undefined,
    isWsl: environment['WSL_DISTRO_NAME'] !== undefined,
  };
}

/** Describes the machine in one phrase. */
export function describePlace({ name, isContainer, isWsl }: RequestPlace): string {
  const inside = [
    ...(isWsl && !name.includes('WSL') ? ['WSL'] : []),
    ...(isContainer ? [t('a container')] : []),
  ];
  return inside.length === 0 ? name : t('{0}, inside {1}', name, inside.join(', '));
}

/** Explains `localhost` where its meaning may be surprising, and how requests leave from the other side of the window. */
export function explainLocalhost(place: RequestPlace): string | undefined {
  const notes = [explainName(place), explainOtherSide(place)].filter((note) => note !== undefined);
  return notes.length > 0 ? notes.join(' ') : undefined;
}

function explainName({ name, isElsewhere, isContainer, isWsl, otherSide }: RequestPlace): string | undefined {
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
  if (isElsewhere) return t('`localhost` is {0}, which may not be the computer in front of you.', name);
  return otherSide && t('`localhost` is {0}, not {1}, where the folder is.', name, otherSide.name);
}

function explainOtherSide({ otherSide }: RequestPlace): string | undefined {
  if (!otherSide) return undefined;
  const setting = `"remote.extensionKind": { "${EXTENSION_ID}": ["${otherSide.extensionKind}"] }`;
  return t('To let requests leave from {0}, add {1} to your settings.', otherSide.name, quote(setting));
}

const EXTENSION_ID = 'provider-playground.provider-playground';
