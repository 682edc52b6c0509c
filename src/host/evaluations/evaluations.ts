// Registers the evaluations of the workspace's playgrounds in the Test Explorer. What finds and runs them is loaded when the
// Test Explorer is first used.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session, TextPair } from '../../session';
import type { EvaluationSummary } from '../../types';
import { Lazy } from '../lazy';
import { uriOfSession } from '../playground/files/file-backing';
import type { SessionPool } from '../playground/session-pool';
import type { ItemPlace } from './evaluation-items';
import type { EvaluationServices, EvaluationTarget, SampleAction } from './evaluation-services';

type Handler = (
  services: EvaluationServices,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
) => Promise<void>;

export class Evaluations implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #services: Lazy<EvaluationServices>;

  constructor(pool: SessionPool, compare: (texts: TextPair) => Promise<void>) {
    const controller = vscode.tests.createTestController(
      'providerPlayground.evaluations',
      t('Provider Playground Evaluations'),
    );
    this.#controller = controller;
    this.#services = new Lazy(async () => {
      const { openEvaluationServices } = await import('./evaluation-services');
      return openEvaluationServices(controller, pool, compare);
    });
    controller.resolveHandler = async (item) => (await this.#services.get()).resolve(item);
    controller.refreshHandler = async () => (await this.#services.get()).resolve(undefined);
    const { Run, Debug } = vscode.TestRunProfileKind;
    const usual = this.#addProfile(t('Evaluate'), Run, (services, request, token) =>
      request.continuous === true ? services.runOnSave(request, token) : services.run(request, token, {}),
    );
    usual.isDefault = true;
    // *Turn on Continuous Run* of VS Code starts default profiles alone. Saving must not spend money, so a continuous run evaluates
    // only what the profile *Evaluate on Save* below does.
    usual.supportsContinuousRun = true;
    this.#addProfile(t('Evaluate Once'), Run, (services, ...asked) => services.run(...asked, { repeats: 1 }));
    const onSave = this.#addProfile(t('Evaluate on Save (local and demo)'), Run, (services, ...asked) =>
      services.runOnSave(...asked),
    );
    onSave.tag = new vscode.TestTag('local');
    onSave.supportsContinuousRun = true;
    this.#addProfile(t('Evaluate in Steps'), Debug, (services, ...asked) =>
      services.step(...asked),
    ).isDefault = true;
  }

  #addProfile(label: string, kind: vscode.TestRunProfileKind, run: Handler): vscode.TestRunProfile {
    const profile = this.#controller.createRunProfile(label, kind, async (...asked) =>
      run(await this.#services.get(), ...asked),
    );
    profile.configureHandler = () => void this.#services.get().then((services) => services.configure());
    return profile;
  }

  /** Keeps the results of a playground those of its evaluation, also when that goes on elsewhere, such as in its panel. */
  follow(session: Session): void {
    const uri = uriOfSession(session.id);
    if (!uri) return;
    let wasRunning = false;
    session.onDidChange(() => {
      const { isRunning } = session.evaluation;
      if (wasRunning && !isRunning) void this.#services.loaded().then((services) => services?.evaluated(uri));
      wasRunning = isRunning;
    });
  }

  /** Evaluates a playground file, or some of its lanes and rows. @returns undefined when the person did not confirm it */
  async evaluate(target: EvaluationTarget): Promise<EvaluationSummary | undefined> {
    return (await (await this.#services.get()).evaluate(target))?.summary;
  }

  services(): Promise<EvaluationServices> {
    return this.#services.get();
  }

  /** What an item of the Test Explorer stands for; undefined for anything else. */
  async placeOf(target: unknown): Promise<ItemPlace | undefined> {
    return (await this.#services.loaded())?.placeOf(target);
  }

  /** @param target What the menu of a message in the Test Explorer gives. */
  async act(action: SampleAction, target: unknown): Promise<void> {
    await (await this.#services.get()).act(action, target ?? {});
  }

  /** @param target What the menu of an item in the Test Explorer gives. */
  async showItem(target: unknown): Promise<void> {
    await (await this.#services.get()).showItem(target);
  }

  dispose(): void {
    this.#controller.dispose();
    void this.#services.loaded().then((services) => services?.dispose());
  }
}
