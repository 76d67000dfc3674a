export interface Listen {
  readonly host: string;
  readonly port: number;
}

export interface AdminListen extends Listen {
  readonly hosts?: readonly string[];
}
