// Registers the evaluations of the workspace's playgrounds in the Test Explorer. What finds and runs them is loaded when the
// Test Explorer is first used.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionPool } from '../playground/session-pool';
import { Lazy } from '../lazy';
import type { EvaluationServices, EvaluationTarget } from './evaluation-services';
import type { EvaluationSummary } from '../../types';

export class Evaluations implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #services: Lazy<EvaluationServices>;

  constructor(pool: SessionPool) {
    const controller = vscode.tests.createTestController(
      'providerPlayground.evaluations',
      t('Provider Playground Evaluations'),
    );
    this.#controller = controller;
    this.#services = new Lazy(async () => {
      const { openEvaluationServices } = await import('./evaluation-services');
      return openEvaluationServices(controller, pool);
    });
    controller.resolveHandler = async (item) => (await this.#services.get()).resolve(item);
    controller.refreshHandler = async () => (await this.#services.get()).resolve(undefined);
    const { Run } = vscode.TestRunProfileKind;
    controller.createRunProfile(t('Evaluate'), Run, (...asked) => this.#run(asked, {}), true);
    controller.createRunProfile(t('Evaluate Once'), Run, (...asked) => this.#run(asked, { repeats: 1 }));
  }

  async #run(
    [request, token]: [vscode.TestRunRequest, vscode.CancellationToken],
    options: { repeats?: number },
  ): Promise<void> {
    await (await this.#services.get()).run(request, token, options);
  }

  /** Evaluates a playground file, or some of its lanes and rows. @returns undefined when the person did not confirm it */
  async evaluate(target: EvaluationTarget): Promise<EvaluationSummary | undefined> {
    return (await this.#services.get()).evaluate(target);
  }

  dispose(): void {
    this.#controller.dispose();
    void this.#services.loaded().then((services) => services?.dispose());
  }
}
