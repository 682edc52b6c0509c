export declare function packageVsix(options?: { readonly env?: NodeJS.ProcessEnv }): Promise<boolean>;
