"""Make a tiny random model of the hybrid Qwen3.5-MoE architecture; its chat template can switch thinking off."""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast
from transformers.models.qwen3_5_moe import Qwen3_5MoeForCausalLM, Qwen3_5MoeTextConfig

TEMPLATE = (
    "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\n' + (message.content or '') + '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}"
    "{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\n\n</think>\n\n' }}{%- endif %}{%- endif %}"
)
WORDS = [
    "The state of the world before an action, and after it. ",
    '{"name": "value", "list": [1, 2, 3], "ok": true, "none": null}\n',
    "$ ls -la /home/user\n",
]


def make_tokenizer() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(vocab_size=376, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator([words * 5 for words in WORDS], trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>", additional_special_tokens=["<|im_start|>"]
    )
    fast.add_tokens(["<think>", "</think>", "<tool_call>", "</tool_call>"])
    fast.chat_template = TEMPLATE
    return fast


def main(folder: Path) -> None:
    tokenizer = make_tokenizer()
    torch.manual_seed(0)
    config = Qwen3_5MoeTextConfig(
        vocab_size=384, hidden_size=64, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, head_dim=16,
        linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=16, linear_value_head_dim=16, linear_conv_kernel_dim=4,
        moe_intermediate_size=32, shared_expert_intermediate_size=32, num_experts=4, num_experts_per_tok=2, max_position_embeddings=262144,
        layer_types=["linear_attention"] * 3 + ["full_attention"], tie_word_embeddings=False,
        eos_token_id=2, pad_token_id=0, bos_token_id=None, dtype="bfloat16",
    )  # fmt: skip
    Qwen3_5MoeForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": 2, "pad_token_id": 0}))
    path = folder / "config.json"
    written = json.loads(path.read_text())
    written["full_attention_interval"] = 4  # SGLang reads the pattern of layers from here, and transformers does not write it
    path.write_text(json.dumps(written, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
