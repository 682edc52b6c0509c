export declare const root: string;
export declare const hostDir: string;
export declare const browserDir: string;
export declare const localDir: string;
export declare const vsix: { readonly extension: string; readonly opener: string };
export declare const codeServer: string;
export declare const vscodeDir: string;
