// Names the machine that requests leave from, which is the one that `localhost` means. Independent of vscode.
import { t } from '@vscode/l10n';
import type { LeavingFrom } from '../connections';

interface Editor {
  /** `vscode.env.remoteName`, such as `ssh-remote`. In a browser it may be the address of the server. */
  remoteName: string | undefined;
  isWeb: boolean;
  /** Whether the extension runs on the same side as the folder. */
  isWithFolder: boolean;
}

/** The usual name of a kind of remote. @returns undefined for an unknown kind */
function nameRemote(remoteName: string | undefined): string | undefined {
  switch (remoteName) {
    case 'ssh-remote':
      return 'SSH';
    case 'wsl':
      return 'WSL';
    case 'dev-container':
    case 'attached-container':
      return t('Dev Container');
    case 'codespaces':
      return t('GitHub Codespaces');
    case 'tunnel':
      return t('Tunnel');
    default:
      return undefined;
  }
}

export function requestsLeaveFrom({ remoteName, isWeb, isWithFolder }: Editor): LeavingFrom {
  const known = nameRemote(remoteName);
  const isRemote = isWeb ? known !== undefined : remoteName !== undefined;
  if (!isRemote) return { name: isWeb ? t('the machine that serves this window') : t('this computer') };
  const remote = t('the remote machine ({0})', known ?? remoteName ?? '');
  // Extensions cannot run in the browser itself, so there is no other side.
  if (isWeb) return { name: remote };
  return isWithFolder
    ? { name: remote, otherSide: { name: t('this computer'), extensionKind: 'ui' } }
    : { name: t('this computer'), otherSide: { name: remote, extensionKind: 'workspace' } };
}
