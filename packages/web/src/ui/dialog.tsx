import { Modal, type ModalProps } from '@mantine/core';
import { useLayer } from './unsaved.tsx';

/** A dialog that asks before unsaved changes of the forms in it are thrown away. */
export function Dialog({ children, onClose, ...modal }: Omit<ModalProps, 'closeOnEscape'>) {
  const layer = useLayer({ opened: modal.opened, onClose });
  return (
    <>
      <Modal {...modal} onClose={layer.close} closeOnEscape={false}>
        {layer.around(children)}
      </Modal>
      {layer.question}
    </>
  );
}
