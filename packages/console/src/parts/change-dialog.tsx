import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Failure, failureOf } from '../data/failure.ts';
import {
  type Common,
  type FormField,
  type FormFields,
  formFieldsOf,
  inputOf,
  type OperationName,
  sendChange,
} from '../data/operations.ts';
import { type InTurn, useInTurn } from '../data/use-in-turn.ts';
import { usePreview } from '../data/use-preview.ts';
import { changesOf } from '../text/audit-words.ts';
import { ChangePreview } from './change-preview.tsx';
import { Changed } from './changed.tsx';
import { Dialog } from './dialog.tsx';
import { Filled } from './filled.tsx';
import { Alert } from './states.tsx';

export interface ChangeRequest {
  readonly values: Readonly<Record<string, string>>;
  readonly common: Common;
}

export interface ChangeProps<Done> {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly operation: OperationName;
  /** Fields with a value from the page, such as the app. */
  readonly given?: object;
  readonly formFields?: FormFields;
  readonly toInput?: (values: ChangeRequest['values']) => object;
  /** The state before the change. */
  readonly etag?: string | undefined;
  /** A text that must be typed to confirm a dangerous change. */
  readonly confirm?: string | undefined;
  readonly isDangerous?: boolean | undefined;
  readonly verb: string;
  readonly send?: (request: ChangeRequest) => Promise<Done>;
  /** False while something other than a field is missing. */
  readonly isReady?: boolean;
  readonly preview?: (result: Done) => ComponentChildren;
  /** Shown after success, until the dialog is closed; without it the dialog closes by itself. */
  readonly done?: (changed: Done) => ComponentChildren;
  readonly doneVerb?: string;
  /** The edited state, to compare with another person's change. */
  readonly seen?: object | undefined;
  readonly onChanged: () => void;
  readonly onClose?: () => void;
}

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

export interface ButtonProps {
  readonly label: string;
  /** For screen readers, if several rows have this button. */
  readonly longLabel?: string | undefined;
}

export function DialogButton({ label, longLabel, open }: ButtonProps & { open: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" aria-label={longLabel} onClick={open}>
      {label}…
    </button>
  );
}

export function OpenedChange<Done>(props: ChangeProps<Done> & { readonly close: () => void }) {
  const [done, setDone] = useState<Done>();
  return (
    <Dialog title={props.title} onClose={props.close}>
      {done === undefined || props.done === undefined ? (
        <Form {...props} setDone={setDone} />
      ) : (
        <>
          {props.done(done)}
          <footer>
            <button type="button" class="primary" onClick={props.close}>
              {props.doneVerb ?? 'I have saved it'}
            </button>
          </footer>
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
  const { confirm, isReady = true, formFields = {} } = props;
  const fields = formFieldsOf(props.operation, formFields);
  const send = props.send ?? ((request: ChangeRequest) => sendRequest(props, request));
  const [values, setValues] = useState(() => startOf(fields));
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const inTurn = useInTurn();
  const preview = usePreview({ fields, confirm, isReady, send }, values, inTurn);
  const { failure, isBusy, submit } = useSending({ ...props, send }, inTurn, () => {
    return { values, common: { reason, ...(confirm === undefined ? {} : { confirm: typed }) } };
  });
  const isRight = confirm === undefined || typed === confirm;
  return (
    <form onSubmit={submit}>
      {props.children}
      {fields.map((field) => (
        <Filled
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
        />
      ))}
      <div class="preview" aria-live="polite">
        {preview !== undefined && <ChangePreview of={preview} preview={props.preview} />}
      </div>
      <Filled field={reasonField} value={reason} set={setReason} />
      {confirm !== undefined && (
        <Filled field={{ name: 'confirm', ...confirmText(confirm) }} value={typed} set={setTyped} />
      )}
      {failure !== undefined && <Refused failure={failure} seen={props.seen} />}
      <footer>
        <button type="button" onClick={props.close}>
          Cancel
        </button>
        <button
          type="submit"
          class={props.isDangerous === true ? 'primary danger' : 'primary'}
          disabled={isBusy || !isReady || !isRight}
        >
          {props.verb}
        </button>
      </footer>
    </form>
  );
}

/** A label has no room for a long name. */
function confirmText(name: string) {
  if (name.length <= 24) return { label: `Type ${name} to confirm` };
  return { label: 'Type this name to confirm', hint: name };
}

function sendRequest<Done>(
  props: ChangeProps<Done>,
  { values, common }: ChangeRequest,
): Promise<Done> {
  const { operation, given, toInput, etag } = props;
  const input = toInput?.(values) ?? inputOf(operation, values);
  return sendChange(operation, { ...given, ...input }, common, etag);
}

const reasonField = {
  name: 'reason',
  label: 'Reason',
  hint: 'A ticket or a sentence, recorded in Activity',
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
  createRequest: () => ChangeRequest,
) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const changed = await inTurn(() => send(createRequest()));
      if (done === undefined) close();
      else setDone(changed);
      onChanged();
    } catch (error) {
      const refused = failureOf(error);
      setFailure(refused);
      // The next attempt starts from the current state.
      if (refused.status === 412) onChanged();
    }
    setBusy(false);
  };
  return { failure, isBusy, submit };
}

/** Shows another person's change if that is the reason. */
function Refused({
  failure,
  seen,
}: {
  readonly failure: Failure;
  readonly seen: object | undefined;
}) {
  const { status, message, now } = failure;
  return (
    <Alert tone="bad">
      {message}
      {status === 412 && seen !== undefined && now !== undefined && (
        <>
          <p>Changed by someone else since you opened this dialog:</p>
          <Changed
            of={changesOf({
              ...{ action: '', before: JSON.stringify(seen), after: JSON.stringify(now) },
            })}
          />
          <p>Submit again to apply your change to the current values.</p>
        </>
      )}
    </Alert>
  );
}

function startOf(fields: readonly FormField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, value, options }) => [name, value ?? options?.[0]?.[0] ?? '']),
  );
}
