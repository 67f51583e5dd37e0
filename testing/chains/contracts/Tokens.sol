// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";

/// Anyone may mint, and move anything: the tests play every wallet.
contract Hats is ERC721 {
    address public owner = msg.sender;

    function transferOwnership(address to) external {
        owner = to;
    }

    constructor(string memory name_) ERC721(name_, "HAT") {}

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function move(address to, uint256 id) external {
        _update(to, id, address(0));
    }
}

contract Badges is ERC1155("") {
    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function mintMany(address[] calldata to, uint256 firstId) external {
        for (uint256 i = 0; i < to.length; i++) _mint(to[i], firstId + i, 1, "");
    }

    function move(address from, address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _update(from, to, ids, amounts);
    }
}

/// Is older than ERC-165: it has only a balance, as CryptoPunks does.
contract OldPunks {
    string public name = "OLDPUNKS";
    mapping(address => uint256) public balanceOf;

    function assign(address to) external {
        balanceOf[to]++;
    }
}

/// Knows ERC-165 and says it is no NFT; a balance of it is money.
contract Coin is ERC165 {
    function balanceOf(address) external pure returns (uint256) {
        return 100;
    }
}

/// Is from the time before the final ERC-721: it knows only a draft.
contract Draft is ERC165 {
    bytes4 private immutable draft;
    address private immutable holder;

    constructor(bytes4 draft_, address holder_) {
        draft = draft_;
        holder = holder_;
    }

    function supportsInterface(bytes4 id) public view override returns (bool) {
        return id == draft || super.supportsInterface(id);
    }

    function balanceOf(address who) external view returns (uint256) {
        return who == holder ? 2 : 0;
    }
}

/// Says it is everything, and returns for every balance bytes that are no number.
contract Liar {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id != 0xffffffff;
    }

    function name() external pure returns (string memory) {
        return unicode"a\u202e\u0000b";
    }

    fallback() external {
        assembly {
            return(0, 7)
        }
    }
}

/// Each token says where its metadata is.
contract Pictures is ERC721 {
    mapping(uint256 => string) private uris;

    constructor(string memory name_) ERC721(name_, "PIC") {}

    function mint(address to, uint256 id, string calldata uri) external {
        _mint(to, id);
        uris[id] = uri;
    }

    function move(address to, uint256 id) external {
        _update(to, id, address(0));
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return uris[id];
    }
}

/// All tokens have one address, in which clients put the id.
contract Editions is ERC1155 {
    string public name = "Editions";

    constructor(string memory uri_) ERC1155(uri_) {}
}
