// Registers the diagnoses of connections as read-only documents in VS Code. The code that writes them is loaded
// with the first one.
import * as vscode from 'vscode';
import { DIAGNOSIS_SCHEME } from '../contributions';
import type { Unopened } from '../connections/window-connections';
import { Lazy } from '../lazy';
import { registerReadOnlyFiles } from '../read-only-files';
import type { DiagnosisDocuments, DiagnosisTarget, DiagnosisSources } from './diagnosis-documents';

export class Diagnoses implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;
  readonly #documents: Lazy<DiagnosisDocuments>;

  constructor(services: Unopened<DiagnosisSources>) {
    this.#documents = new Lazy(async () => {
      const [{ DiagnosisDocuments: Documents }, opened] = await Promise.all([
        import('./diagnosis-documents'),
        services.connections.get(),
      ]);
      return new Documents({ ...services, ...opened }, (events) => this.#changed.fire(events));
    });
    this.#registration = registerReadOnlyFiles(DIAGNOSIS_SCHEME, {
      onDidChangeFile: this.#changed.event,
      open: () => this.#documents.get(),
    });
  }

  async diagnose(target: DiagnosisTarget): Promise<void> {
    await (await this.#documents.get()).diagnose(target);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    void this.#documents.loaded().then((documents) => documents?.dispose());
  }
}
