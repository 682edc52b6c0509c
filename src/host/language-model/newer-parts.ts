// Parts of a reply that newer editors have and that the oldest supported one does not; each is undefined there.
import * as vscode from 'vscode';

declare module 'vscode' {
  /** Since 1.106. */
  export const LanguageModelDataPart:
    (new (data: Uint8Array, mimeType: string) => vscode.LanguageModelTextPart) | undefined;
  /** Typed in a proposal alone, but there at run time. */
  export const LanguageModelThinkingPart: (new (value: string) => vscode.LanguageModelTextPart) | undefined;
}

export function thinkingPart(text: string): vscode.LanguageModelTextPart | undefined {
  const { LanguageModelThinkingPart: Part } = vscode;
  return Part && new Part(text);
}

/** Not documented: the chat of the editor reads counts from a part of this kind, and so do other extensions. */
export function usagePart(usage: object): vscode.LanguageModelTextPart | undefined {
  const { LanguageModelDataPart: Part } = vscode;
  return Part && new Part(new TextEncoder().encode(JSON.stringify(usage)), 'usage');
}
