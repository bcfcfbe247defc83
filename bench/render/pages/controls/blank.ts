// A page on which nothing happens.
export {};
