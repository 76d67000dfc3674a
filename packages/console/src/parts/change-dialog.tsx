import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Failure, failureOf } from '../data/failure.ts';
import {
  type Asking,
  type Common,
  inputOf,
  type OperationName,
  sendChange,
  type Wanted,
  wantedOf,
} from '../data/operations.ts';
import { type InTurn, useInTurn } from '../data/use-in-turn.ts';
import { useRehearsal } from '../data/use-rehearsal.ts';
import { Dialog } from './dialog.tsx';
import { Diff } from './diff.tsx';
import { Filled } from './filled.tsx';
import { Rehearsed } from './rehearsed.tsx';

/** What a person has typed, and what every change asks for. */
export interface Said {
  readonly values: Readonly<Record<string, string>>;
  readonly common: Common;
}

/** A change: what it asks for, how it is sent, and what is shown of it. */
export interface ChangeProps<Done> {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly operation: OperationName;
  /** The fields that the page knows, such as the app. */
  readonly given?: object;
  /** The fields that a person fills in. */
  readonly asks?: Asking;
  /** The operation's fields of what was typed, where the names differ. */
  readonly toInput?: (values: Said['values']) => object;
  /** The state that the change is made from. */
  readonly etag?: string | undefined;
  /** What has to be typed once more, for what is dangerous. */
  readonly confirm?: string | undefined;
  /** The word on the button that does it. */
  readonly verb: string;
  /** How it is sent, where a page does more than that. */
  readonly send?: (said: Said) => Promise<Done>;
  /** False while something besides the fields is missing. */
  readonly isReady?: boolean;
  /** What a dry run says besides its changes. */
  readonly preview?: (rehearsed: Done) => ComponentChildren;
  /** What is shown once it is done, until the dialog is closed; else it closes by itself. */
  readonly done?: (changed: Done) => ComponentChildren;
  /** The word on the button that closes it then. */
  readonly doneVerb?: string;
  /** What is edited, for a comparison with what another person made of it meanwhile. */
  readonly seen?: object | undefined;
  readonly onChanged: () => void;
  readonly onClose?: () => void;
}

/** A button, and a change behind it: fields, a reason, what would change, and what does it. */
export function ChangeDialog<Done>(props: ChangeProps<Done> & ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    props.onClose?.();
  };
  return (
    <>
      <DialogButton {...props} open={() => setOpen(true)} />
      {isOpen && <OpenedChange {...props} close={close} />}
    </>
  );
}

/** What opens a dialog. */
export interface ButtonProps {
  readonly label: string;
  /** The same for those who hear it alone, where it stands in a row of its like. */
  readonly longLabel?: string | undefined;
}

/** A button that a dialog is behind. */
export function DialogButton({ label, longLabel, open }: ButtonProps & { open: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" aria-label={longLabel} onClick={open}>
      {label}…
    </button>
  );
}

/** The dialog of a change. */
export function OpenedChange<Done>(props: ChangeProps<Done> & { readonly close: () => void }) {
  const [done, setDone] = useState<Done>();
  return (
    <Dialog title={props.title} onClose={props.close}>
      {done === undefined || props.done === undefined ? (
        <Form {...props} setDone={setDone} />
      ) : (
        <>
          {props.done(done)}
          <div class="actions">
            <button type="button" class="primary" onClick={props.close}>
              {props.doneVerb ?? 'I have stored it'}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

interface FormProps<Done> extends ChangeProps<Done> {
  readonly setDone: (done: Done) => void;
  readonly close: () => void;
}

function Form<Done>(props: FormProps<Done>) {
  const { confirm, isReady = true, asks = {} } = props;
  const fields = wantedOf(props.operation, asks);
  const send = props.send ?? ((said: Said) => sendSaid(props, said));
  const [values, setValues] = useState(() => startOf(fields));
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const inTurn = useInTurn();
  const rehearsed = useRehearsal({ fields, confirm, isReady, send }, values, inTurn);
  const { failure, isBusy, submit } = useSending({ ...props, send }, inTurn, () => {
    return { values, common: { reason, ...(confirm === undefined ? {} : { confirm: typed }) } };
  });
  const isRight = confirm === undefined || typed === confirm;
  return (
    <form class="change" onSubmit={submit}>
      {props.children}
      {fields.map((field) => (
        <Filled
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
        />
      ))}
      <Filled field={reasonField} value={reason} set={setReason} />
      {confirm !== undefined && (
        <Filled
          field={{ name: 'confirm', label: `Type ${confirm} to confirm` }}
          value={typed}
          set={setTyped}
        />
      )}
      <div class="preview" aria-live="polite">
        {rehearsed !== undefined && <Rehearsed of={rehearsed} preview={props.preview} />}
      </div>
      {failure !== undefined && <Refused failure={failure} seen={props.seen} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy || !isReady || !isRight}>
          {props.verb}
        </button>
        <button type="button" onClick={props.close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function sendSaid<Done>(props: ChangeProps<Done>, { values, common }: Said): Promise<Done> {
  const { operation, given, toInput, etag } = props;
  const input = toInput?.(values) ?? inputOf(operation, values);
  return sendChange(operation, { ...given, ...input }, common, etag);
}

const reasonField = {
  name: 'reason',
  label: 'Reason',
  hint: 'The audit log keeps it',
  maxLength: 200,
};

function useSending<Done>(
  {
    send,
    done,
    onChanged,
    setDone,
    close,
  }: FormProps<Done> & Required<Pick<FormProps<Done>, 'send'>>,
  inTurn: InTurn,
  said: () => Said,
) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const changed = await inTurn(() => send(said()));
      if (done === undefined) close();
      else setDone(changed);
      onChanged();
    } catch (error) {
      const refused = failureOf(error);
      setFailure(refused);
      // The next attempt is made from what it is now.
      if (refused.status === 412) onChanged();
    }
    setBusy(false);
  };
  return { failure, isBusy, submit };
}

/** Why nothing was changed; of what another person has changed meanwhile, what that was. */
function Refused({
  failure,
  seen,
}: {
  readonly failure: Failure;
  readonly seen: object | undefined;
}) {
  const { status, message, now } = failure;
  return (
    <div role="alert" class="failure">
      <p>{message}</p>
      {status === 412 && seen !== undefined && now !== undefined && (
        <>
          <p>What you saw, and what it is now:</p>
          <Diff before={JSON.stringify(seen)} after={JSON.stringify(now)} />
          <p>Say it again to change what it is now.</p>
        </>
      )}
    </div>
  );
}

function startOf(fields: readonly Wanted[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, value, options }) => [name, value ?? options?.[0]?.[0] ?? '']),
  );
}
