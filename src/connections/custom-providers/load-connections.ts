// Turns a module, or what an extension registered, into connections. Independent of vscode and of decisions about
// trust.
import { t } from '@vscode/l10n';
import type { Connection } from '../connection';
import type { ProviderModule } from './api';
import { describeError, describeType } from './describe-error';
import { evaluateModule, ModuleError } from './evaluate-module';
import type { ModuleFile } from './module-file';
import type { ClassOwner, ProviderTools } from './provided-connection';
import { toProvidedConnection } from './provided-connection';
import { nameClasses } from './provider-classes';

/** @returns the default export of the module. @throws ModuleError */
export async function loadModule(file: ModuleFile): Promise<ProviderModule> {
  const exported = await evaluateModule(file);
  if (typeof exported === 'function') return exported as ProviderModule;
  throw new ModuleError(
    t(
      'Its default export is {0}, but it must be a function that receives the library and returns provider classes.',
      describeType(exported),
    ),
  );
}

/** @throws ModuleError */
export async function loadConnections(
  owner: ClassOwner,
  load: () => Promise<ProviderModule>,
  tools: ProviderTools & { log: { info(line: string): void } },
): Promise<readonly Connection[]> {
  const run = await load();
  if (/^class\b/.test(Function.prototype.toString.call(run))) {
    throw new ModuleError(
      t(
        'Its default export is a class, but it must be a function that receives the library and returns provider classes.',
      ),
    );
  }
  let returned: unknown;
  try {
    returned = await run(tools.library);
  } catch (error) {
    throw new ModuleError(t('Its function threw {0}', describeError(error)), { cause: error });
  }
  const classes = nameClasses(returned, tools.library);
  tools.log.info(`${owner.name}: provider classes: ${classes.map(({ name }) => name).join(', ')}`);
  return classes.map((named) => toProvidedConnection(owner, named, tools));
}

/** @throws ModuleError when the work takes longer than the limit; the work itself continues and its result is ignored. */
export async function withLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ModuleError(t('It did not finish within {0} s.', limitMs / 1000))),
      limitMs,
    );
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
