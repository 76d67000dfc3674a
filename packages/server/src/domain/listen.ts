export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface AdminListenAddress extends ListenAddress {
  readonly hosts?: readonly string[];
}
