export declare function setUpServer(): Promise<void>;
