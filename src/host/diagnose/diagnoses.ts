// Diagnoses of connections as VS Code knows them: documents that can only be read. What makes them is loaded when the first
// one is asked for.
import * as vscode from 'vscode';
import { DIAGNOSIS_SCHEME } from '../contributions';
import { registerReadOnlyFiles } from '../read-only-files';
import type { DiagnosisDocuments, DiagnosisTarget, DocumentServices } from './diagnosis-documents';

export class Diagnoses implements vscode.Disposable {
  readonly #services: DocumentServices;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;
  #documents: Promise<DiagnosisDocuments> | undefined;

  constructor(services: DocumentServices) {
    this.#services = services;
    this.#registration = registerReadOnlyFiles(DIAGNOSIS_SCHEME, {
      onDidChangeFile: this.#changed.event,
      open: () => this.#open(),
    });
  }

  async diagnose(target: DiagnosisTarget): Promise<void> {
    await (await this.#open()).diagnose(target);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    void this.#documents?.then((documents) => documents.dispose());
  }

  #open(): Promise<DiagnosisDocuments> {
    this.#documents ??= this.#load().catch((error: unknown) => {
      this.#documents = undefined; // so that the next use tries again
      throw error;
    });
    return this.#documents;
  }

  async #load(): Promise<DiagnosisDocuments> {
    const { DiagnosisDocuments: Documents } = await import('./diagnosis-documents');
    return new Documents(this.#services, (events) => this.#changed.fire(events));
  }
}
