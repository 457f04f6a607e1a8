import { Modal, type ModalProps } from '@mantine/core';
import { useLayer } from './unsaved.tsx';

/** Dialog that asks before it discards unsaved changes in its forms. */
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
